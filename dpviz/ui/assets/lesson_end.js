// Each prediction of a lesson that this browser has stored, beside its result.

export default function ({ data, parentElement }) {
  const { words } = data;
  const list = parentElement.querySelector("ul");
  const came = Object.entries(progress().lessons[data.lesson]?.came ?? {});
  came.sort(([one], [other]) => one - other);
  list.replaceChildren(...came.map(([, verdict]) => item(verdict, words)));
  if (!came.length) list.append(node("li", words.none));
}

function item({ asked, mark, said, came }, words) {
  const made = node("li", "");
  const template = said && mark !== "right" ? words.said : words.came;
  const values = { said: bare(said ?? ""), came: bare(came) };
  made.append(
    node("p", asked.replaceAll("*", "")),
    node("small", `${template.replace(/\{(\w+)\}/g, (_, name) => values[name])} `),
    node("b", words[mark] ?? ""),
  );
  return made;
}

function bare(sentence) {
  return sentence.replace(/\.$/, "");
}

function node(tag, text) {
  return Object.assign(document.createElement(tag), { textContent: text });
}
