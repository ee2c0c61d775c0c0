// Elements that the quiz and the test share. It is part of quiz.js and questions.js.

function part(tag, content = [], attributes = {}) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...[content].flat());
  return made;
}

// Text with **bold** parts.
function marked(text) {
  return text.split("**").map((piece, i) => (i % 2 ? part("strong", piece) : piece));
}

function button(label, pressed, main = false) {
  const made = part("button", label, { type: "button", ...(main && { class: "main" }) });
  made.onclick = pressed;
  return made;
}

const link = (href, label, more = {}) => part("a", label, { href, target: "_self", ...more });

function choices(name, legend, options, before, chosen) {
  const group = part("fieldset", part("legend", legend), { class: name });
  for (const [value, label] of options) {
    const input = part("input", [], { type: "radio", name, value });
    input.checked = value === before;
    input.onchange = () => chosen(value);
    group.append(part("label", [input, part("span", label)]));
  }
  return group;
}

function filled(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

const head = (text) => part("h2", text, { tabindex: -1 });

// A new view begins at its heading.
function focus(root, block) {
  const heading = root.querySelector("h2");
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block });
}
