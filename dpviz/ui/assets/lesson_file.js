// A lesson in a file: its steps with their pages, which were computed beforehand, its predictions,
// and what came of them. Nothing is kept but the step, in the address where that may change.

const main = document.querySelector("main");
const find = (name) => main.querySelector(`.lf-${name}`);
const piece = (place) => data.pool[place];
const dark = matchMedia("(prefers-color-scheme: dark)");
const range = find("hand").querySelector("input");
const last = data.steps.length; // the end comes after all steps
const OWN = `input, textarea, select, [contenteditable], [role="slider"], summary`;
const WAYS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
const PAPER = 680; // px of a chart on paper
const said = new Map(); // by step: the answer chosen
const drawn = new Map(); // by step: the percentages drawn, none where that was skipped
const places = data.steps.map((step) => step.hand?.now ?? 0);
const asks = new Map(); // by step: the element in which it asks
const came = {}; // by step: what came of a prediction
const shown = { main: { kinds: "" }, part: { kinds: "" } };
let at = 0;
let voice = 0; // place in data.voices
let width, paper, soon;

function progress() {
  return { lessons: { [data.key]: { came } } };
}

// ------------------------------------------------------------------------------------------ steps

function go(to) {
  at = Math.min(Math.max(to, 0), last);
  keep();
  show();
  (at === last ? find("end") : find("say")).querySelector("h2").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function show() {
  const ended = at === last;
  find("step").hidden = ended;
  find("end").hidden = !ended;
  if (ended) find("command").hidden = true;
  main.querySelector(".in-back").href = link();
  if (ended) {
    const list = find("predictions");
    if (list) lessonEnd({ data: { lesson: data.key, words: data.predicted }, parentElement: list });
    return;
  }
  const step = data.steps[at];
  find("say").querySelector("h2").textContent = `Step ${at + 1} of ${last}`;
  tell(find("look"), step.look);
  before();
  find("page").dataset.at = ["picture", "answer"].includes(step.at) ? step.at : "part";
  find("page").querySelector("h3").textContent = step.question;
  find("coin").hidden = !step.cells[0].coin;
  slider();
  view();
  ask();
  ways();
}

// What came of the choice made at the step before, or of the curve drawn at this one.
function before() {
  const now = data.steps[at].ask;
  const past = data.steps[at - 1]?.ask;
  let step, verdict;
  if (now?.facts && drawn.has(at)) [step, verdict] = [at, drawnVerdict(now.facts, drawn.get(at))];
  else if (past?.verdicts) [step, verdict] = [at - 1, past.verdicts[said.get(at - 1) ?? ""]];
  tell(find("before"), verdict?.words ?? "");
  if (verdict?.mark) came[step] = { asked: data.steps[step].ask.plain, ...verdict };
  else if (verdict) delete came[step];
}

function ways() {
  const { words } = data;
  const now = data.steps[at].ask;
  const done = !now || said.has(at) || drawn.has(at);
  const on = at + 1 < last ? (now?.verdicts ? words.show : words.next) : words.end;
  const next = find("next");
  find("back").textContent = words.back;
  find("back").disabled = at === 0;
  next.textContent = done ? on : words.skip;
  next.classList.toggle("lf-quiet", !done);
}

function onward() {
  // a curve that is not drawn is shown here, since the next step does not
  if (!data.steps[at].ask?.facts || drawn.has(at)) return go(at + 1);
  drawn.set(at, []);
  show();
}

// ----------------------------------------------------------------------------------- what is asked

function ask() {
  const now = data.steps[at].ask;
  if (now && !asks.has(at)) asks.set(at, now.facts ? drawing(at, now) : choices(at, now));
  find("asked").replaceChildren(...(now ? [asks.get(at).root] : []));
  asks.get(at)?.set();
}

function choices(step, now) {
  const root = make("fieldset");
  const head = make("legend");
  tell(head, `**${data.words.first}** ${now.text}`);
  root.append(head);
  for (const [key, title] of now.options) {
    const label = make("label");
    const radio = make("input", null, { type: "radio", name: `ask-${step}`, value: key });
    radio.onchange = () => {
      said.set(step, key);
      ways();
    };
    const words = make("span");
    tell(words, title);
    label.append(radio, words);
    root.append(label);
  }
  return { root, set: () => {} };
}

function drawing(step, now) {
  const root = make("div");
  const head = make("p");
  root.append(head, find("drawing").content.cloneNode(true));
  const set = () => {
    const mine = drawn.get(step);
    const { first, were, none } = data.words;
    tell(head, `**${mine?.length ? were : mine ? none : first}** ${now.text}`);
    const more = mine ? { drawn: mine, over: true, truth: now.truth } : {};
    drawCurve({ data: { ...now.chart, ...more }, setTriggerValue: take, parentElement: root });
  };
  const take = (_, curve) => {
    drawn.set(step, curve.split(".").map(Number));
    show();
    find("before").scrollIntoView({ block: "nearest" });
  };
  return { root, set };
}

// ---------------------------------------------------------------------------------------- the page

const cell = () => data.steps[at].cells[places[at]];
const covered = () => Boolean(data.steps[at].ask?.covered && !drawn.has(at));

function slider() {
  const { hand } = data.steps[at];
  find("hand").hidden = !hand || covered();
  if (!hand) return;
  find("hand").querySelector("label").textContent = hand.label;
  range.max = hand.values.length - 1;
  range.value = places[at];
}

function view() {
  const now = cell();
  const { hand } = data.steps[at];
  if (hand) {
    const name = hand.values[places[at]];
    find("hand").querySelector("output").textContent = name;
    range.setAttribute("aria-valuetext", name);
    range.parentElement.style.setProperty("--place", places[at] / range.max);
  }
  say();
  if (now.coin) ownCoin({ data: now.coin, parentElement: find("coin") });
  tell(find("cover"), covered() ? data.words.covered : "");
  find("main").hidden = covered();
  // the page's answer and part show the result, too, unless the step is about the answer
  for (const name of ["answer", "part"])
    find(name).hidden = covered() && data.steps[at].ask.coversAnswer;
  draw();
  find("covered").textContent = piece(now.covered);
  promises(piece(now.promises));
  find("command").hidden = !piece(now.again);
  find("command").querySelector("code").textContent = piece(now.again);
}

function promises(tables) {
  find("promises").hidden = !tables.length;
  find("promises").querySelector("div").replaceChildren(
    ...tables.flatMap(([title, heads, rows, below]) => {
      const wide = make("div", null, { className: "lf-wide", tabIndex: 0, role: "region" });
      wide.ariaLabel = title;
      const table = wide.appendChild(make("table"));
      const head = table.createTHead().insertRow();
      head.append(...heads.map((words) => make("th", words, { scope: "col" })));
      const body = table.createTBody();
      for (const [name, ...cells] of rows)
        body.insertRow().append(
          make("th", name, { scope: "row" }),
          ...cells.map((words) => make("td", words)),
        );
      const last = make("p");
      tell(last, below);
      return [wide, last];
    }),
  );
}

function say() {
  tell(find("answer"), piece(cell().said[voice]));
  [find("voice").textContent, find("voice").title] = data.voices[voice];
  main.querySelector(".in-back").href = link();
}

function draw() {
  width = find("page").clientWidth;
  for (const name of ["main", "part"]) place(find(name), shown[name], cell()[name]);
}

// Draws items into their place; where they are of the same kinds as before, each into its own.
function place(root, before, items) {
  const kinds = [at, ...items.map(({ kind, data: traces }) => `${kind}${traces ? "" : "-words"}`)].join();
  if (before.kinds !== kinds) {
    before.kinds = kinds;
    // one badge above all that follow it
    before.parts = items.map((item, i) => part(item, item.private && !items[i - 1]?.private));
    root.replaceChildren(...before.parts.flatMap((one) => one.roots));
    root.classList.toggle("lf-several", items.filter(({ data: traces }) => traces).length > 1);
  }
  // once they stand there, so that a chart knows how wide it is
  items.forEach((item, i) => before.parts[i].set(item));
}

function part({ kind, data: traces }, badged) {
  const root = make("div", null, { className: `lf-${kind}` });
  const badge = badged ? [make("p", data.words.badge, { className: "lf-badge" })] : [];
  const body = make(kind === "chart" || kind === "html" ? "div" : "p");
  root.append(body);
  // a wide table scrolls inside
  if (kind === "html") Object.assign(root, { tabIndex: 0, role: "region", ariaLabel: "Card" });
  if (kind === "hidden") body.textContent = data.words.hidden;
  let chart;
  const figure = (item) => {
    const told = { data: item.data.map(piece), layout: {} };
    for (const [key, where] of Object.entries(item.layout)) told.layout[key] = piece(where);
    const wide = paper ? Math.min(PAPER, body.clientWidth || PAPER) : body.clientWidth || width;
    const how = { dark: dark.matches && !paper, width: wide, alt: piece(item.words) };
    if (chart) chart.draw(told, how);
    else chart = figureSvg(body, told, how);
  };
  const set = (item) => {
    if (traces) figure(item);
    // the app's own HTML, in which every name is escaped
    else if (item.html !== undefined) body.innerHTML = piece(item.styles) + piece(item.html);
    else if (item.words !== undefined) tell(body, piece(item.words));
  };
  return { roots: [...badge, root], set };
}

// ------------------------------------------------------------------------------------ the address

function link() {
  if (at === last) return `${data.origin}lessons?ended=${data.key}`;
  const { link: own, hand } = data.steps[at];
  const to = new URL(own);
  if (hand && places[at] !== hand.now) to.searchParams.set(hand.key, hand.values[places[at]]);
  if (voice) to.searchParams.set("voice", data.precise);
  return to.href;
}

function keep() {
  try {
    history.replaceState(null, "", `#${at === last ? "end" : at + 1}`);
  } catch {
    // a frame whose address may not change
  }
}

function read() {
  const word = location.hash.slice(1);
  const step = Number(word) - 1;
  at = word === "end" ? last : Number.isInteger(step) && step >= 0 && step < last ? step : 0;
}

// ------------------------------------------------------------------------------------------- parts

function tell(place, words) {
  if (place.dataset.words === words) return;
  place.dataset.words = words;
  place.replaceChildren(...marked(words, data.origin));
}

function make(tag, text, more) {
  const made = Object.assign(document.createElement(tag), more);
  if (text !== null && text !== undefined) made.textContent = text;
  return made;
}

function print(begins) {
  paper = begins;
  for (const fold of [main.querySelector(".in-from"), find("promises")]) fold.open = begins;
  if (at < last) draw();
}

find("back").onclick = () => go(at - 1);
find("next").onclick = onward;
find("again").onclick = () => go(0);
find("voice").onclick = () => {
  voice = 1 - voice;
  say();
};
range.oninput = () => {
  places[at] = Number(range.value);
  cancelAnimationFrame(soon);
  soon = requestAnimationFrame(view);
};
document.addEventListener("keydown", (event) => {
  const held = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
  const way = WAYS[event.key];
  if (!way || held || event.defaultPrevented || event.composedPath()[0].closest?.(OWN)) return;
  if (at + way < 0 || at + way > last) return;
  event.preventDefault();
  if (way > 0) onward();
  else go(at - 1);
});
new ResizeObserver(() => {
  if (at < last && find("page").clientWidth !== width) requestAnimationFrame(draw);
}).observe(find("page"));
dark.onchange = () => at < last && draw();
onhashchange = () => {
  read();
  show();
};
onbeforeprint = () => print(true);
onafterprint = () => print(false);
read();
show();
document.documentElement.dataset.ready = "";
