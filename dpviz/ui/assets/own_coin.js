// A question to the visitor. The answer and the coin (coin.js) stay here:
// nothing is sent to the server, kept or written anywhere.

const asked = new WeakMap(); // by place: what was recorded at which honesty

export default function ({ data, parentElement }) {
  const part = (name) => parentElement.querySelector(name);
  const root = part(".dp-coin");
  const [stays, leaves, words] = [part(".stays"), part(".leaves"), part("p")];
  if (asked.get(root)?.honesty !== data.honesty) {
    asked.set(root, { honesty: data.honesty, recorded: [] });
    stays.textContent = "Answer, and a coin falls.";
    leaves.textContent = "nothing yet";
    words.textContent =
      "Your answer stays in this browser: it is not sent, not even to this page's server.";
    for (const button of root.querySelectorAll("button")) button.removeAttribute("aria-pressed");
  }
  const { recorded } = asked.get(root);
  const answer = (own) => {
    const { through, said } = coinFalls(own, data.threshold);
    recorded.push(said);
    stays.textContent = through
      ? `Own answer “${own}”. The coin let it through.`
      : `Own answer “${own}”. The coin answered for you.`;
    leaves.textContent = `“${said}”`;
    const yes = recorded.filter((one) => one === "yes").length;
    words.textContent =
      recorded.length === 1
        ? `Whoever sees “${said}” cannot be sure: in ${data.truths} of 100 cases it is what you really` +
          " think, in the others the opposite. Answer again: a new coin falls."
        : `Recorded so far: ${yes} × yes, ${recorded.length - yes} × no. One answer can be denied;` +
          " the more of them there are, the plainer it gets what you really say.";
  };
  for (const button of root.querySelectorAll("button")) {
    button.onclick = () => {
      for (const one of root.querySelectorAll("button"))
        one.setAttribute("aria-pressed", one === button);
      answer(button.dataset.own);
    };
  }
}
