// Markdown of the app's own sentences as elements: **bold**, *slanted*, `code`, [links](address),
// signs escaped by \, and signs between colons, which are pictures and are left out. Addresses that
// begin with ./ are of the app, at `origin`.

const MARK = /\*\*(.+?)\*\*(?!\*)|\*(.+?)\*|`([^`]+)`|\[((?:[^\]\\]|\\.)+)\]\(([^)\s]+)\)|\\(.)|:material\/\w+: ?/su;

function marked(words, origin) {
  const found = MARK.exec(words);
  if (!found) return words ? [words] : [];
  const [all, bold, slanted, code, name, address, escaped] = found;
  const after = marked(words.slice(found.index + all.length), origin);
  const made = (tag, text, more) => {
    const element = Object.assign(document.createElement(tag), more);
    element.append(...marked(text, origin));
    return [element];
  };
  const now = bold
    ? made("strong", bold)
    : slanted
      ? made("em", slanted)
      : code
        ? [Object.assign(document.createElement("code"), { textContent: code })]
        : address
          ? made("a", name, { href: ofApp(address, origin), target: "_blank", rel: "noreferrer" })
          : escaped
            ? [escaped]
            : [];
  return [words.slice(0, found.index), ...now, ...after].filter((part) => part !== "");
}

function ofApp(address, origin) {
  return address.startsWith("./") ? origin + address.slice(2) : address;
}
