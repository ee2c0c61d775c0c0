// The test before and after the lessons. Answers stay in this browser; a file is written when its
// button is pressed.

const KEPT = "dpviz.questions";
const TIMES = ["before", "after"];
const LONGEST = 999; // seconds

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".quiz");
  if (root.shown) return; // reruns of the page change nothing here
  root.shown = true;
  const state = { data, root, kept: read(data), at: null, drafts: {} };
  show(state, false);
}

// ---------------------------------------------------------------------------- storage

function read(data) {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(KEPT));
  } catch {} // no storage, or other data
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

// ---------------------------------------------------------------------------- views

function show(state, moved = true) {
  const { kept, root, data } = state;
  const done = TIMES.filter((when) => kept[when].length === data.questions.length);
  const view = kept.running
    ? question(state)
    : done.length === 2
      ? results(state)
      : doors(state, done);
  root.replaceChildren(...view);
  if (state.lost) root.prepend(part("p", data.words.lost, { class: "note" }));
  // a question begins at the top, so that its button is in view
  if (moved) focus(root, kept.running ? "start" : "nearest");
}

function begin(state, when) {
  state.kept.running = when;
  state.at = null;
  state.drafts = {};
  keep(state);
  show(state);
}

const resume = (words, given, begin) =>
  given.length ? filled(words.resume, { number: given.length + 1 }) : begin;

function doors(state, done) {
  const { data, kept } = state;
  const { words } = data;
  if (!done.length) {
    return [
      head(words.before),
      part("p", marked(words.intro)),
      part(
        "div",
        button(resume(words, kept.before, words.begin), () => begin(state, "before"), true),
        { class: "row" },
      ),
    ];
  }
  return [
    head(words.stored),
    part("p", words.onward),
    part("p", lessonsDone(data)),
    part(
      "div",
      [
        link(data.lessons, words.to_lessons, { class: "main" }),
        button(resume(words, kept.after, secondTime(data)), () => begin(state, "after")),
      ],
      { class: "row" },
    ),
    part("div", [csvButton(state), forgetButton(state)], { class: "row" }),
  ];
}

function secondTime(data) {
  const left = data.keys.length - finished(data).length;
  const total = data.keys.length;
  return left ? filled(data.words.second_early, { left, total }) : data.words.second;
}

function question(state) {
  const { kept, data } = state;
  const { words } = data;
  const when = kept.running,
    at = state.at ?? kept[when].length,
    form = asked(state, when, at);
  const started = performance.now();
  // the earlier answer, after going back
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
    at + 1 < data.questions.length ? words.next : words.finish,
    () => {
      kept[when][at] = said();
      delete state.drafts[at];
      if (at + 1 === data.questions.length) kept.running = null;
      keep(state);
      turn(at + 1);
    },
    true,
  );
  const back = button(words.back, () => {
    state.drafts[at] = said();
    turn(at - 1);
  });
  const later = button(words.pause, () => begin(state, null));
  const given = (value) => {
    answer = value;
    next.disabled = answer === null || sure === null;
  };
  given(answer);
  const options = form.options?.map((text, i) => ["abcd"[i], text]);
  const body = options
    ? choices("options", words.answer, options, answer, given)
    : drawing(form, answer, given, words);
  const levels = data.sure;
  const confidence = choices("sure", words.sure, levels, sure === null ? null : `${sure}`, (value) => {
    sure = Number(value);
    given(answer);
  });
  const bar = part("progress", [], {
    max: data.questions.length,
    value: at,
    "aria-label": words.answered,
  });
  const ways = part("div", [...(at ? [back] : []), next, later], { class: "row" });
  return [
    head(filled(words.count, { number: at + 1, total: data.questions.length })),
    bar,
    part("p", marked(form.text), { class: "text" }),
    part("div", [body, part("div", [confidence, ways])], { class: "given" }),
  ];
}

// ---------------------------------------------------------------------------- results

function results(state) {
  const { data, kept } = state;
  const { words } = data;
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
        `${words.review} `,
        ...[...lessons].flatMap(([href, title], i) => [i ? " · " : "", link(href, title)]),
      ]
    : [`${words.all_right} ${lessonsDone(data)} `, link(data.lessons, words.lessons)];
  const knew = [
    filled(words.expected_before, { expected: expected("before"), right: before }),
    filled(words.expected_after, { expected: expected("after"), right: after }),
  ];
  return [
    head(filled(words.score, { before, after, total })),
    part("p", `${kind(state, false)} ${kind(state, true)} ${words.chance}`),
    part("p", knew.join(" ")),
    part("p", onward),
    part(
      "ol",
      data.questions.map((each, at) => outcome(state, each, at)),
      { class: "outcomes" },
    ),
    part("div", [csvButton(state), forgetButton(state)], { class: "row" }),
  ];
}

// Lessons that this browser has stored as finished.
function finished(data) {
  try {
    const { lessons } = JSON.parse(localStorage.getItem("dpviz:lessons"));
    return data.keys.filter((key) => lessons[key]?.done);
  } catch {
    return []; // no storage, or other data
  }
}

const lessonsDone = (data) =>
  filled(data.words.done, { done: finished(data).length, total: data.keys.length });

function kind(state, transfer) {
  const counts = (question) => question.transfer === transfer;
  const [before, after] = TIMES.map((when) => score(state, when, counts));
  const total = state.data.questions.filter(counts).length;
  const { facts, transfer: situations } = state.data.words;
  return filled(transfer ? situations : facts, { before, after, total });
}

function outcome(state, each, at) {
  const marks = TIMES.map((when) => {
    const right = isRight(asked(state, when, at), state.kept[when][at].answer);
    return part("span", state.data.words[`mark_${when}_${right ? "right" : "wrong"}`], {
      class: right ? "right" : "wrong",
    });
  });
  const solutions = TIMES.flatMap((when) => solved(state, when, at));
  const lesson = part("p", [`${state.data.words.lesson} `, link(each.href, each.lesson)]);
  return part(
    "li",
    part("details", [part("summary", [part("b", each.gist), ...marks]), ...solutions, lesson]),
  );
}

function solved(state, when, at) {
  const form = asked(state, when, at),
    { answer } = state.kept[when][at],
    { words } = state.data;
  const asWords = form.options
    ? form.options["abcd".indexOf(answer)]
    : answer
        .split(" ")
        .map((v, i) => `${form.at[i]}: ${v}`)
        .join(", ");
  const lines = [
    part("p", marked(form.text), { class: "text" }),
    part("p", [`${words[`answer_${when}`]} `, part("i", asWords)]),
    part("p", [part("strong", `${words.solution} `), form.solution, ". ", ...marked(form.why)]),
  ];
  if (form.options) return lines;
  const picture = canvas(form, filled(words.drawn, { drawn: asWords, true: form.solution }));
  picture.append(
    ...curve(form.truth, "true"),
    ...curve(answer.split(" ").map(Number), "yours"),
  );
  const legend = ["yours", "true"].map((name) => part("b", words[name], { class: name }));
  return [...lines, part("p", [form.up, ...legend], { class: "legend" }), picture];
}

// ---------------------------------------------------------------------------- file

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
  return button(state.data.words.csv, () => {
    const lines = [state.data.columns, ...rows(state)].map((row) => row.join(",")).join("\r\n");
    const href = URL.createObjectURL(new Blob([`${lines}\r\n`], { type: "text/csv" }));
    part("a", "", { href, download: `dpviz-answers-${state.kept.id}.csv` }).click();
    URL.revokeObjectURL(href);
  });
}

function forgetButton(state) {
  const { forget, forget_now: again } = state.data.words;
  const made = button(forget, () => {
    if (made.textContent === forget) {
      made.textContent = again;
      return;
    }
    state.kept = fresh();
    keep(state);
    show(state);
  });
  return made;
}
