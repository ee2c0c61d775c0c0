// A question to the visitor. The answer and the coin (coin.js) stay here:
// nothing is sent to the server or stored.

const asked = new WeakMap(); // by element: the recorded answers and their honesty

export default function ({ data, parentElement }) {
  const part = (name) => parentElement.querySelector(name);
  const words = Object.fromEntries(data.words);
  const root = part(".dp-coin");
  root.classList.add("asking"); // on a phone, the rule is shown until there is an answer
  const [stays, leaves, note] = [part(".stays"), part(".leaves"), part("p")];
  if (asked.get(root)?.honesty !== data.honesty) {
    asked.set(root, { honesty: data.honesty, recorded: [] });
    root.classList.remove("answered");
    stays.textContent = words.ready;
    leaves.textContent = words.nothing;
    note.textContent = "";
    for (const button of root.querySelectorAll("button")) button.removeAttribute("aria-pressed");
  }
  const { recorded } = asked.get(root);
  const written = (template, fields) => template.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
  part(".rule").textContent = written(words.rule, { honesty: data.honesty });
  const answer = (own) => {
    const { through, said } = coinFalls(own, data.threshold);
    recorded.push(said);
    root.classList.add("answered");
    stays.textContent = written(through ? words.through : words.replaced, { own: words[own] });
    leaves.textContent = `“${words[said]}”`;
    const yes = recorded.filter((one) => one === "yes").length;
    const fields = { said: words[said], truths: data.truths, yes, no: recorded.length - yes };
    note.textContent = written(recorded.length === 1 ? words.first : words.counts, fields);
  };
  for (const button of root.querySelectorAll("button")) {
    button.onclick = () => {
      for (const one of root.querySelectorAll("button"))
        one.setAttribute("aria-pressed", one === button);
      answer(button.dataset.own);
    };
  }
}
