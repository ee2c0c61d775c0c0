// Each prediction of a lesson that this browser saw, against what happened.

const MARKS = {
  right: "✓ as you said",
  open: "~ the runs cannot tell",
  near: "≈ roughly so",
  gap: "✗ far off",
  wrong: "✗ otherwise",
};

export default function ({ data, parentElement }) {
  const list = parentElement.querySelector("ul");
  const came = Object.entries(progress().lessons[data.lesson]?.came ?? {});
  came.sort(([one], [other]) => one - other);
  list.replaceChildren(...came.map(([, verdict]) => item(verdict)));
  if (!came.length)
    list.append(node("li", "None that this browser knows of: they were skipped, or made elsewhere."));
}

function item({ asked, mark, said, came }) {
  const made = node("li", "");
  made.append(
    node("p", asked.replaceAll("*", "")),
    node("small", said && mark !== "right" ? `You said: ${bare(said)}. It was: ${bare(came)}. ` : `${bare(came)}. `),
    node("b", mark === "right" && !said ? "✓ well drawn" : (MARKS[mark] ?? "")),
  );
  return made;
}

function bare(sentence) {
  return sentence.replace(/\.$/, "");
}

function node(tag, text) {
  return Object.assign(document.createElement(tag), { textContent: text });
}
