// Twelve questions before and after the lessons. Answers are kept in this browser alone: nothing of
// them is sent, and a file leaves only when its button is pressed.

const KEPT = "dpviz.questions";
const TIMES = ["before", "after"];
const LONGEST = 999; // seconds
const HOW =
  "Guess where you do not know, and say how sure you are. What is right is told after the second " +
  "time, which asks for the same ideas in other words.";
const ONWARD =
  "Go through the lessons. Then come back, on this device, and answer once more: how many were " +
  "right, and why, is told then.";
const LOST = "This browser keeps nothing for this page: finish without closing it.";
const HOW_SURE = "How sure are you? Of 100 answers like this one, so many would be right:";
const ROUGHLY = "Twelve answers of one person say this roughly.";

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".quiz");
  if (root.shown) return; // the server has nothing to say about answers
  root.shown = true;
  const state = { data, root, kept: read(data), at: null, drafts: {} };
  show(state, false);
}

// ---------------------------------------------------------------------------- what is kept

function read(data) {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(KEPT));
  } catch {} // a browser that keeps nothing, or something that is not ours
  return fits(kept, data) ? kept : fresh();
}

function fits(kept, data) {
  const keys = data.questions.map((question) => question.key);
  const one = (given, at) =>
    given.item === keys[at] && typeof given.answer === "string" && Number.isFinite(given.sure);
  return (
    kept &&
    /^p[0-9a-f]{8}$/.test(kept.id) &&
    "AB".includes(kept.first) &&
    kept.first.length === 1 &&
    TIMES.every(
      (when) =>
        Array.isArray(kept[when]) && kept[when].length <= keys.length && kept[when].every(one),
    ) &&
    (!kept.running || (TIMES.includes(kept.running) && kept[kept.running].length < keys.length))
  );
}

function fresh() {
  const drawn = crypto.getRandomValues(new Uint8Array(5));
  const id = [...drawn.slice(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // a letter first, or a spreadsheet takes some of them for numbers
  return { id: `p${id}`, first: drawn[4] % 2 ? "B" : "A", before: [], after: [], running: null };
}

function keep(state) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(state.kept));
  } catch {
    state.lost = true;
  }
}

const formOf = (kept, when) => (when === "before" ? kept.first : kept.first === "A" ? "B" : "A");
const asked = (state, when, at) => state.data.forms[formOf(state.kept, when)][at];

function isRight(form, answer) {
  if (form.options) return answer === form.right;
  return answer.split(" ").every((point, i) => Math.abs(point - form.truth[i]) <= form.near);
}

function score(state, when, counts = () => true) {
  return state.kept[when].filter(
    (given, at) =>
      counts(state.data.questions[at]) && isRight(asked(state, when, at), given.answer),
  ).length;
}

// ---------------------------------------------------------------------------- small parts

function part(tag, content = [], attributes = {}) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...[content].flat());
  return made;
}

function words(text) {
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

// ---------------------------------------------------------------------------- what is shown

function show(state, focus = true) {
  const { kept, root, data } = state;
  const done = TIMES.filter((when) => kept[when].length === data.questions.length);
  const view = kept.running
    ? question(state)
    : done.length === 2
      ? results(state)
      : doors(state, done);
  root.replaceChildren(...view);
  if (state.lost) root.prepend(part("p", LOST, { class: "note" }));
  const head = root.querySelector("h2");
  if (focus) {
    head.focus({ preventScroll: true });
    // a question begins at the top, so that the way on from it is in view
    head.scrollIntoView({ block: kept.running ? "start" : "nearest" });
  }
}

const head = (text) => part("h2", text, { tabindex: -1 });

function begin(state, when) {
  state.kept.running = when;
  state.at = null;
  state.drafts = {};
  keep(state);
  show(state);
}

const onOr = (given, begin) => (given.length ? `Go on at question ${given.length + 1}` : begin);

function doors(state, done) {
  const { data, kept } = state;
  if (!done.length) {
    return [
      head("Before the lessons"),
      part("p", words(`**${data.questions.length} questions, about ten minutes.** ${HOW}`)),
      part(
        "div",
        button(onOr(kept.before, "Begin"), () => begin(state, "before"), true),
        { class: "row" },
      ),
    ];
  }
  return [
    head("Your first answers are kept in this browser"),
    part("p", ONWARD),
    part("p", lessonsDone(data)),
    part(
      "div",
      [
        link(data.lessons, "To the lessons →", { class: "main" }),
        button(onOr(kept.after, secondTime(data)), () => begin(state, "after")),
      ],
      { class: "row" },
    ),
    part("div", [csvButton(state), forgetButton(state)], { class: "row" }),
  ];
}

function secondTime(data) {
  const left = data.keys.length - finished(data).length;
  if (!left) return "I have done the lessons: the second time";
  return `Answer the second time, with ${left} ${left === 1 ? "lesson" : "lessons"} left out`;
}

function question(state) {
  const { kept, data } = state;
  const when = kept.running,
    at = state.at ?? kept[when].length,
    form = asked(state, when, at);
  const started = performance.now();
  // what was said to it, where one has come back
  const before = state.drafts[at] ?? kept[when][at] ?? { answer: null, sure: null, seconds: 0 };
  let { answer, sure } = before;
  const said = () => {
    const spent = Math.round((performance.now() - started) / 1000);
    const seconds = Math.min(LONGEST, before.seconds + spent);
    return { item: data.questions[at].key, answer, sure, seconds };
  };
  const turn = (to) => {
    state.at = to;
    show(state);
  };
  const next = button(
    at + 1 < data.questions.length ? "Next →" : "Done",
    () => {
      kept[when][at] = said();
      delete state.drafts[at];
      if (at + 1 === data.questions.length) kept.running = null;
      keep(state);
      turn(at + 1);
    },
    true,
  );
  const back = button("← Back", () => {
    state.drafts[at] = said();
    turn(at - 1);
  });
  const later = button("Stop here, go on later", () => begin(state, null));
  const given = (value) => {
    answer = value;
    next.disabled = answer === null || sure === null;
  };
  given(answer);
  const options = form.options?.map((text, i) => ["abcd"[i], text]);
  const body = options
    ? choices("options", "Your answer", options, answer, given)
    : drawing(form, answer, given);
  const levels = data.sure;
  const confidence = choices("sure", HOW_SURE, levels, sure === null ? null : `${sure}`, (value) => {
    sure = Number(value);
    given(answer);
  });
  const bar = part("progress", [], {
    max: data.questions.length,
    value: at,
    "aria-label": "answered",
  });
  const ways = part("div", [...(at ? [back] : []), next, later], { class: "row" });
  return [
    head(`Question ${at + 1} of ${data.questions.length}`),
    bar,
    part("p", words(form.text), { class: "text" }),
    part("div", [body, part("div", [confidence, ways])], { class: "given" }),
  ];
}

// ---------------------------------------------------------------------------- what came of it

function results(state) {
  const { data, kept } = state;
  const total = data.questions.length,
    [before, after] = TIMES.map((when) => score(state, when));
  const expected = (when) =>
    Math.round(kept[when].reduce((sum, given) => sum + given.sure, 0) / 100);
  const open = data.questions.filter(
    (_, at) => !isRight(asked(state, "after", at), kept.after[at].answer),
  );
  const lessons = new Map(open.map((each) => [each.href, each.lesson]));
  const onward = open.length
    ? [
        "Lessons to take next: ",
        ...[...lessons].flatMap(([href, title], i) => [i ? " · " : "", link(href, title)]),
      ]
    : [`All were right the second time. ${lessonsDone(data)} `, link(data.lessons, "All lessons")];
  const knew =
    `How well you knew what you know: before, you expected ${expected("before")} to be right and ` +
    `${before} were; after, you expected ${expected("after")} and ${after} were.`;
  return [
    head(`${before} of ${total} right before, ${after} of ${total} after`),
    part("p", `${kind(state, false)}; ${kind(state, true)}.`),
    part("p", `${knew} ${ROUGHLY}`),
    part("p", onward),
    part(
      "ol",
      data.questions.map((each, at) => outcome(state, each, at)),
      { class: "outcomes" },
    ),
    part("div", [csvButton(state), forgetButton(state)], { class: "row" }),
  ];
}

// what the lessons keep in this browser
function finished(data) {
  try {
    const { lessons } = JSON.parse(localStorage.getItem("dpviz:lessons"));
    return data.keys.filter((key) => lessons[key]?.done);
  } catch {
    return []; // nothing is kept, or something that is not ours
  }
}

const lessonsDone = (data) =>
  `Of ${data.keys.length} lessons you have finished ${finished(data).length} in this browser.`;

function kind(state, transfer) {
  const counts = (question) => question.transfer === transfer;
  const [before, after] = TIMES.map((when) => score(state, when, counts));
  const name = transfer ? "new situations" : "Facts";
  const all = state.data.questions.filter(counts).length;
  return `${name}: ${before} of ${all} before, ${after} after`;
}

function outcome(state, each, at) {
  const marks = TIMES.map((when) => {
    const right = isRight(asked(state, when, at), state.kept[when][at].answer);
    return part("span", `${when} ${right ? "✓ right" : "✗ wrong"}`, {
      class: right ? "right" : "wrong",
    });
  });
  const told = TIMES.flatMap((when) => solved(state, when, at));
  const lesson = part("p", ["Lesson: ", link(each.href, each.lesson)]);
  return part(
    "li",
    part("details", [part("summary", [part("b", each.gist), ...marks]), ...told, lesson]),
  );
}

function solved(state, when, at) {
  const form = asked(state, when, at),
    { answer } = state.kept[when][at];
  const asWords = form.options
    ? form.options["abcd".indexOf(answer)]
    : answer
        .split(" ")
        .map((v, i) => `${form.at[i]}: ${v}`)
        .join(", ");
  const lines = [
    part("p", words(form.text), { class: "text" }),
    part("p", [
      `You said ${when === "before" ? "the first time" : "the second time"}: `,
      part("i", asWords),
    ]),
    part("p", [part("strong", "Right: "), form.solution, ". ", ...words(form.why)]),
  ];
  if (form.options) return lines;
  const picture = canvas(form, `You drew ${asWords}; right is ${form.solution}`);
  picture.append(
    ...curve(form.truth, "true"),
    ...curve(answer.split(" ").map(Number), "yours"),
  );
  const legend = ["yours", "true"].map((name) => part("b", name, { class: name }));
  return [...lines, part("p", [form.up, ...legend], { class: "legend" }), picture];
}

// ---------------------------------------------------------------------------- leaving

// in the order of the columns
function rows(state) {
  const { data, kept } = state;
  return TIMES.flatMap((when) =>
    kept[when].map((given, at) => [
      kept.id,
      when,
      formOf(kept, when),
      at + 1,
      given.item,
      given.answer,
      Number(isRight(asked(state, when, at), given.answer)),
      given.sure,
      given.seconds,
    ]),
  );
}

function csvButton(state) {
  return button("Your answers as CSV", () => {
    const lines = [state.data.columns, ...rows(state)].map((row) => row.join(",")).join("\r\n");
    const href = URL.createObjectURL(new Blob([`${lines}\r\n`], { type: "text/csv" }));
    part("a", "", { href, download: `dpviz-answers-${state.kept.id}.csv` }).click();
    URL.revokeObjectURL(href);
  });
}

function forgetButton(state) {
  const made = button("Forget my answers", () => {
    if (made.textContent === "Forget my answers") {
      made.textContent = "Press again to forget them for good";
      return;
    }
    state.kept = fresh();
    keep(state);
    show(state);
  });
  return made;
}
