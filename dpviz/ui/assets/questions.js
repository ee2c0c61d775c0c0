// Twelve questions before and after the lessons. Answers are kept in this browser alone: nothing of
// them is sent, and a file leaves only when its button is pressed.

const KEPT = "dpviz.questions";
const TIMES = ["before", "after"];
const LONGEST = 999; // seconds
const WIDTH = 480, HEIGHT = 260, LEFT = 34, RIGHT = 14, TOP = 12, BOTTOM = 44; // px of a drawing
const NAMES = "http://www.w3.org/2000/svg";

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".quiz");
  if (root.shown) return; // the server has nothing to say about answers
  root.shown = true;
  const state = { data, root, kept: read(data) };
  show(state, false);
}

// ------------------------------------------------------------------------------------ what is kept

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
    kept && /^[0-9a-f]{8}$/.test(kept.id) && "AB".includes(kept.first) && kept.first.length === 1 &&
    TIMES.every((when) => Array.isArray(kept[when]) && kept[when].length <= keys.length && kept[when].every(one)) &&
    (!kept.running || TIMES.includes(kept.running))
  );
}

function fresh() {
  const drawn = crypto.getRandomValues(new Uint8Array(5));
  const id = [...drawn.slice(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { id, first: drawn[4] % 2 ? "B" : "A", before: [], after: [], running: null };
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

function score(state, when) {
  return state.kept[when].filter((given, at) => isRight(asked(state, when, at), given.answer)).length;
}

// ------------------------------------------------------------------------------------ small parts

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

const link = (href, label) => part("a", label, { href, target: "_self" });

function choices(name, legend, options, chosen) {
  const group = part("fieldset", part("legend", legend), { class: name });
  for (const [value, label] of options) {
    const input = part("input", [], { type: "radio", name, value });
    input.onchange = () => chosen(value);
    group.append(part("label", [input, part("span", label)]));
  }
  return group;
}

// ------------------------------------------------------------------------------------ what is shown

function show(state, focus = true) {
  const { kept, root, data } = state;
  const done = TIMES.filter((when) => kept[when].length === data.questions.length);
  const view = kept.running ? question(state) : done.length === 2 ? results(state) : doors(state, done);
  root.replaceChildren(...view);
  if (state.lost)
    root.prepend(part("p", "This browser keeps nothing for this page: finish without closing it.", { class: "note" }));
  const head = root.querySelector("h2");
  if (focus) {
    head.focus({ preventScroll: true });
    head.scrollIntoView({ block: "nearest" });
  }
}

const head = (text) => part("h2", text, { tabindex: -1 });

function begin(state, when) {
  state.kept.running = when;
  keep(state);
  show(state);
}

function doors(state, done) {
  const { data, kept } = state;
  if (!done.length) {
    return [
      head("Before the lessons"),
      part("p", words(`**${data.questions.length} questions, about ten minutes.** Guess where you do not know, and say how sure you are. What is right is told after the second time, which asks for the same ideas in other words.`)),
      part("div", button(kept.before.length ? `Go on at question ${kept.before.length + 1}` : "Begin", () => begin(state, "before"), true), { class: "row" }),
    ];
  }
  return [
    head("Your first answers are kept in this browser"),
    part("p", "Go through the lessons. Then come back, on this device, and answer once more: how many were right, and why, is told then."),
    part("div", [
      link(data.lessons, "To the lessons →"),
      button(kept.after.length ? `Go on at question ${kept.after.length + 1}` : "I have done the lessons: the second time", () => begin(state, "after"), true),
    ], { class: "row" }),
    part("div", [csvButton(state), forgetButton(state)], { class: "row" }),
  ];
}

function question(state) {
  const { kept, data } = state;
  const when = kept.running, at = kept[when].length, form = asked(state, when, at);
  const started = performance.now();
  let answer = null, sure = null;
  const next = button(at + 1 < data.questions.length ? "Next →" : "Done", () => {
    const seconds = Math.min(LONGEST, Math.round((performance.now() - started) / 1000));
    kept[when].push({ item: data.questions[at].key, answer, sure, seconds });
    if (at + 1 === data.questions.length) kept.running = null;
    keep(state);
    show(state);
  }, true);
  next.disabled = true;
  const given = (value) => {
    answer = value;
    next.disabled = answer === null || sure === null;
  };
  const body = form.options
    ? choices("options", "Your answer", form.options.map((text, i) => ["abcd"[i], text]), given)
    : drawing(form, given);
  const confidence = choices("sure", "How sure are you? Of 100 answers like this one, so many would be right:", data.sure, (value) => {
    sure = Number(value);
    given(answer);
  });
  const bar = part("progress", [], { max: data.questions.length, value: at, "aria-label": "answered" });
  return [
    head(`Question ${at + 1} of ${data.questions.length}`),
    bar,
    part("p", words(form.text), { class: "text" }),
    body,
    confidence,
    part("div", [next, button("Stop here, go on later", () => { kept.running = null; keep(state); show(state); })], { class: "row" }),
  ];
}

// ------------------------------------------------------------------------------------ a drawn curve

const xOf = (i, count) => LEFT + ((i + 0.5) * (WIDTH - LEFT - RIGHT)) / count;
const yOf = (value) => TOP + ((100 - value) / 100) * (HEIGHT - TOP - BOTTOM);

function svg(tag, attributes, text = "") {
  const made = document.createElementNS(NAMES, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

function curve(form, points, name) {
  const places = points.map((value, i) => [xOf(i, points.length), yOf(value)]);
  return [
    svg("polyline", { points: places.map((p) => p.join()).join(" "), class: name }),
    ...places.map(([cx, cy]) => svg("circle", { cx, cy, r: 7, class: name })),
  ];
}

function canvas(form, label) {
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  for (const value of [0, 25, 50, 75, 100]) {
    picture.append(
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: yOf(value), y2: yOf(value) }),
      svg("text", { x: LEFT - 6, y: yOf(value) + 4, "text-anchor": "end" }, value),
    );
  }
  form.at.forEach((name, i) =>
    picture.append(svg("text", { x: xOf(i, form.at.length), y: HEIGHT - 26, "text-anchor": "middle" }, name)),
  );
  picture.append(svg("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, form.over));
  return picture;
}

function drawing(form, given) {
  const points = form.at.map(() => 50);
  const picture = canvas(form, `Your drawing: ${form.up}`);
  const inputs = form.at.map((name, i) => {
    const input = part("input", [], { type: "range", min: 0, max: 100, step: 1, "aria-label": `${form.over}: ${name}` });
    input.value = 50;
    input.oninput = () => set(i, Number(input.value));
    input.onfocus = input.onblur = () => paint();
    return input;
  });
  const paint = () => {
    picture.querySelectorAll("polyline, circle, .value").forEach((mark) => mark.remove());
    picture.append(...curve(form, points, "mine"));
    points.forEach((value, i) => {
      const above = value > 88 ? 22 : -13;
      picture.append(svg("text", { x: xOf(i, points.length), y: yOf(value) + above, "text-anchor": "middle", class: "value" }, value));
      picture.querySelectorAll("circle")[i].classList.toggle("focus", inputs[i].matches(":focus-visible"));
    });
  };
  const set = (i, value) => {
    points[i] = Math.max(0, Math.min(100, Math.round(value)));
    inputs[i].value = points[i];
    inputs[i].setAttribute("aria-valuetext", `${points[i]} ${form.up}`);
    paint();
    given(points.join(" "));
  };
  const follow = (event) => {
    const box = picture.getBoundingClientRect(), scale = WIDTH / box.width;
    const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
    const step = (WIDTH - LEFT - RIGHT) / points.length;
    const i = Math.max(0, Math.min(points.length - 1, Math.floor((x - LEFT) / step)));
    set(i, 100 - ((y - TOP) / (HEIGHT - TOP - BOTTOM)) * 100);
  };
  picture.onpointerdown = (event) => {
    picture.setPointerCapture(event.pointerId);
    event.preventDefault();
    follow(event);
  };
  picture.onpointermove = (event) => event.buttons && follow(event);
  paint();
  const hint = "Drag across the picture, or move each point with Tab and the arrow keys.";
  return part("fieldset", [part("legend", form.up), picture, part("div", inputs, { class: "keys" }), part("p", hint, { class: "note" })], { class: "drawing" });
}

// ------------------------------------------------------------------------------------ what came of it

function results(state) {
  const { data, kept } = state;
  const total = data.questions.length, [before, after] = TIMES.map((when) => score(state, when));
  const expected = (when) => Math.round(kept[when].reduce((sum, given) => sum + given.sure, 0) / 100);
  const open = data.questions.filter((_, at) => !isRight(asked(state, "after", at), kept.after[at].answer));
  const lessons = new Map(open.map((each) => [each.href, each.lesson]));
  const onward = open.length
    ? ["Lessons to take next: ", ...[...lessons].flatMap(([href, title], i) => [i ? " · " : "", link(href, title)])]
    : ["Nothing is left open. The lessons can be taken again at any time: ", link(data.lessons, "all lessons"), "."];
  return [
    head(`${before} of ${total} right before, ${after} of ${total} after`),
    part("p", `How well you knew what you know: before, you expected ${expected("before")} to be right and ${before} were; after, you expected ${expected("after")} and ${after} were. Twelve answers of one person say this roughly.`),
    part("p", onward),
    part("ol", data.questions.map((each, at) => outcome(state, each, at)), { class: "outcomes" }),
    part("div", [csvButton(state), forgetButton(state)], { class: "row" }),
  ];
}

function outcome(state, each, at) {
  const marks = TIMES.map((when) => {
    const right = isRight(asked(state, when, at), state.kept[when][at].answer);
    return part("span", `${when} ${right ? "✓ right" : "✗ wrong"}`, { class: right ? "right" : "wrong" });
  });
  const told = TIMES.flatMap((when) => solved(state, when, at));
  const lesson = part("p", ["Lesson: ", link(each.href, each.lesson)]);
  return part("li", part("details", [part("summary", [part("b", each.gist), ...marks]), ...told, lesson]));
}

function solved(state, when, at) {
  const form = asked(state, when, at), { answer } = state.kept[when][at];
  const asWords = form.options ? form.options["abcd".indexOf(answer)] : answer.split(" ").map((v, i) => `${form.at[i]}: ${v}`).join(", ");
  const lines = [
    part("p", words(form.text), { class: "text" }),
    part("p", [`You said ${when === "before" ? "the first time" : "the second time"}: `, part("i", asWords)]),
    part("p", [part("strong", "Right: "), form.solution, ". ", ...words(form.why)]),
  ];
  if (form.options) return lines;
  const picture = canvas(form, `You drew ${asWords}; right is ${form.solution}`);
  picture.append(...curve(form, form.truth, "truth"), ...curve(form, answer.split(" ").map(Number), "mine"));
  return [...lines, picture, part("p", "Violet: what you drew. Grey, dashed: what is right.", { class: "note" })];
}

// ------------------------------------------------------------------------------------ leaving

function rows(state) {
  const { data, kept } = state;
  return TIMES.flatMap((when) =>
    kept[when].map((given, at) => [
      kept.id, when, formOf(kept, when), at + 1, given.item, given.answer,
      Number(isRight(asked(state, when, at), given.answer)), given.sure, given.seconds,
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
