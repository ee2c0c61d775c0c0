// The short quiz: one question at a time, with an explanation after each. Nothing is stored or sent.

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".quiz");
  if (root.shown) return; // reruns of the page change nothing here
  root.shown = true;
  start({ data, root }, false);
}

function start(state, moved = true) {
  state.answers = [];
  show(state, question(state), moved);
}

function show({ root }, view, moved = true) {
  root.replaceChildren(...view);
  if (moved) focus(root, "nearest");
}

function question(state) {
  const { data, answers } = state;
  const { words } = data;
  const number = answers.length;
  const asked = data.questions[number];
  const feedback = part("div", [], { class: "feedback", role: "status" });
  const row = part("div", [], { class: "row" });
  const group = part("fieldset", part("legend", words.answer), { class: "options" });
  const reply = (answer) => {
    const right = answer === asked.right;
    answers.push(right);
    group.disabled = true;
    group.querySelectorAll("button").forEach((option, i) => {
      const letter = "abcd"[i];
      if (letter === asked.right) option.classList.add("solution");
      else if (letter === answer) option.classList.add("missed");
    });
    const verdict = part("strong", right ? words.right : words.wrong);
    // in sight, the mark on the option says the same
    const solution = right ? "" : ` ${words.solution} ${asked.solution}.`;
    const heard = part("span", solution, { class: "heard" });
    feedback.append(part("p", [verdict, heard]), part("p", marked(asked.why)));
    const last = answers.length === data.questions.length;
    const next = button(
      last ? words.finish : words.next,
      () => show(state, last ? score(state) : question(state)),
      true,
    );
    row.replaceChildren(next, link(asked.href, `${words.lesson} ${asked.lesson}`, { class: "aside" }));
    next.focus();
  };
  asked.options.forEach((text, i) => group.append(button(text, () => reply("abcd"[i]))));
  const title = head(filled(words.count, { number: number + 1, total: data.questions.length }));
  title.append(dots(answers, data.questions.length));
  return [
    title,
    part("p", marked(asked.text), { class: "text" }),
    group,
    feedback,
    row,
  ];
}

// A dot per question: right, wrong, the current one, or open.
function dots(answers, total) {
  const kinds = Array.from({ length: total }, (_, i) => {
    if (i === answers.length) return "now";
    return answers[i] === undefined ? "open" : answers[i] ? "hit" : "miss";
  });
  return part("span", kinds.map((kind) => part("i", [], { class: kind })), {
    class: "dots",
    "aria-hidden": "true",
  });
}

function score(state) {
  const { data, answers } = state;
  const { words } = data;
  const right = answers.filter(Boolean).length;
  const open = data.questions.filter((_, i) => !answers[i]);
  const review = open.length
    ? [
        part("p", words.review),
        part(
          "ul",
          open.map(({ href, lesson }) => part("li", link(href, lesson))),
        ),
      ]
    : [part("p", words.all_right)];
  return [
    head(filled(words.score, { right, total: answers.length })),
    part("p", words.chance),
    ...review,
    part(
      "div",
      [link(data.lessons, words.lessons, { class: "main" }), button(words.again, () => start(state))],
      { class: "row" },
    ),
  ];
}
