// A page as a file: sliders over views that were all computed beforehand. A move shows another of
// them in one frame.

const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -3, PageUp: 3 };
const ENDS = { Home: -Infinity, End: Infinity };
const BEAT = 450; // ms a view while it plays
const PAPER = 700; // px of a chart on paper
const find = (name) => document.querySelector(`.ex-${name}, .in-${name}`);
const piece = (place) => data.pool[place];
const dark = matchMedia("(prefers-color-scheme: dark)");

const at = data.sliders.map((slider) => slider.now);
let voice = 0; // place in data.voices
const section = document.querySelector(".nd");
const showDraws = section && newDraws(section, data.words);
const sections = new Map();
let chart, width, paper, soon, beat, told;
read();
const hands = data.sliders.map(hand);
find("hands").append(...hands.map((one) => one.root));
find("from").querySelector("div").append(
  ...data.from.map((words, i) => make(i === data.from.length - 1 ? "code" : "p", words)),
);
find("voice").onclick = () => {
  voice = 1 - voice;
  say();
  keep();
};
new ResizeObserver(() => {
  if (find("picture").clientWidth !== width) draw();
}).observe(find("picture"));
dark.onchange = draw;
onbeforeprint = () => print(true);
onafterprint = () => print(false);
onhashchange = () => read() && show();
show();
document.documentElement.dataset.ready = "";

// ------------------------------------------------------------------------------------- the sliders

function hand(slider, i) {
  const last = slider.values.length - 1;
  const root = make("div", null, { className: "ex-hand" });
  const label = make("label", slider.label, { htmlFor: `hand-${i}` });
  const now = make("output", null, { htmlFor: `hand-${i}` });
  const range = make("input", null, { type: "range", id: `hand-${i}`, className: "own-slider" });
  Object.assign(range, { min: 0, max: last, step: 1 });
  const rail = make("div", null, { className: "ex-rail" });
  rail.append(range);
  const head = make("div", null, { className: "ex-head" });
  head.append(label, now);
  root.append(head, rail);
  range.oninput = () => move(i, Number(range.value));
  range.onkeydown = (event) => {
    const by = KEYS[event.key] ?? ENDS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(i, Math.min(Math.max(at[i] + by, 0), last));
  };
  const play = slider.plays && make("button", "▶ Play", { type: "button", className: "ex-play" });
  if (play) {
    play.title = "Play all budgets, from the largest to the smallest";
    play.onclick = () => (beat ? stop() : sweep(i));
    head.append(play);
  }
  const set = () => {
    range.value = at[i];
    now.textContent = slider.names[at[i]];
    range.setAttribute("aria-valuetext", slider.names[at[i]]);
  };
  return { root, set, play };
}

function move(i, to) {
  stop();
  lead(i, to);
}

function lead(i, to) {
  if (at[i] === to) return;
  at[i] = to;
  cancelAnimationFrame(soon);
  soon = requestAnimationFrame(() => {
    show();
    keep();
  });
}

function sweep(i) {
  let place = data.sliders[i].values.length;
  const next = () => (place === 0 ? stop() : lead(i, --place));
  hands[i].play.textContent = "◼ Stop";
  beat = setInterval(next, BEAT);
  next();
}

function stop() {
  clearInterval(beat);
  beat = undefined;
  for (const { play } of hands) if (play) play.textContent = "▶ Play";
}

// ---------------------------------------------------------------------------------------- one view

function cell() {
  return data.cells[at.reduce((place, own, i) => place * data.sliders[i].values.length + own, 0)];
}

function show() {
  const now = cell();
  hands.forEach((one) => one.set());
  say();
  draw();
  find("badge").hidden = !now.private;
  find("badge").textContent = data.badge;
  find("covered").textContent = now.covered === undefined ? "" : piece(now.covered);
  find("words").querySelector("p").textContent = now.picture ? piece(now.picture.words) : "";
  tables(now);
  if (section) showDraws(draws(now), pageEpsilon());
  back(now);
}

// The ε of the page's own slider; undefined without one.
function pageEpsilon() {
  const i = data.sliders.findIndex((slider) => slider.key === "eps");
  return i < 0 ? undefined : Number(data.sliders[i].values[at[i]]);
}

// What new noise is added to, one object for all views that share it.
function draws(now) {
  if (now.draws === undefined) return undefined;
  const key = `${now.draws} ${now.test}`;
  const { carried, ...rest } = piece(now.draws);
  if (!sections.has(key)) sections.set(key, { ...rest, carried: { ...carried, test: piece(now.test) } });
  return sections.get(key);
}

function say() {
  const now = cell();
  const said = now.said ? piece(now.said[voice]) : piece(now.refused);
  bold(find("answer"), said);
  if (told !== voice) {
    told = voice;
    const lengths = data.cells.map((one) => (one.said ? piece(one.said[voice]) : ""));
    // the room of the longest, so that nothing below moves under the hand
    bold(find("ghost"), lengths.reduce((a, b) => (b.length > a.length ? b : a), ""));
  }
  [find("voice").textContent, find("voice").title] = data.voices[voice];
}

function draw() {
  const now = cell().picture;
  const place = find("picture");
  width = place.clientWidth;
  if (now?.data) {
    const figure = { data: now.data.map(piece), layout: {} };
    for (const [key, where] of Object.entries(now.layout)) figure.layout[key] = piece(where);
    const how = { dark: dark.matches && !paper, width: paper ? PAPER : width, alt: piece(now.words) };
    if (chart) return chart.draw(figure, how);
    place.replaceChildren();
    chart = figureSvg(place, figure, how);
    return;
  }
  chart = undefined;
  place.innerHTML = now ? piece(now.styles) + piece(now.html) : "";
}

function tables(now) {
  const promises = now.promises === undefined ? [] : piece(now.promises);
  const all = [...promises, ...(now.tables ?? []).map(piece)];
  find("tables").replaceChildren(
    ...all.map(([title, heads, rows, below]) => {
      const part = make("section");
      const table = make("table");
      const head = table.createTHead().insertRow();
      head.append(...heads.map((words) => make("th", words, { scope: "col" })));
      const body = table.createTBody();
      for (const row of rows) {
        const line = body.insertRow();
        line.append(make("th", row[0], { scope: "row" }), ...row.slice(1).map((words) => make("td", words)));
      }
      const wide = make("div", null, { className: "ex-wide", tabIndex: 0, role: "region", ariaLabel: title });
      wide.append(table);
      const last = make("p");
      bold(last, below);
      part.append(make("h2", title), wide, last);
      return part;
    }),
  );
}

function back(now) {
  const link = new URL(data.page, data.server);
  for (const [key, value] of Object.entries(piece(now.settings))) link.searchParams.set(key, value);
  link.searchParams.set("voice", voice ? data.precise : "plain");
  find("back").href = link;
  const code = now.again === undefined ? "" : piece(now.again);
  let again = find("again");
  if (!again) {
    again = make("p", `${data.command} `, { className: "ex-again" });
    again.append(make("code"));
    find("from").querySelector("div").prepend(again);
  }
  again.hidden = !code;
  again.querySelector("code").textContent = code;
}

function print(begins) {
  paper = begins;
  draw();
}

// ------------------------------------------------------------------------ what the address says of it

function read() {
  const said = new URLSearchParams(location.hash.slice(1));
  data.sliders.forEach((slider, i) => {
    const place = slider.values.indexOf(said.get(slider.key));
    if (place >= 0) at[i] = place;
  });
  voice = said.get("voice") === data.precise ? 1 : 0;
  return true;
}

function keep() {
  const said = new URLSearchParams(data.sliders.map((slider, i) => [slider.key, slider.values[at[i]]]));
  if (voice) said.set("voice", data.precise);
  back(cell());
  try {
    history.replaceState(null, "", `#${said}`);
  } catch {
    // in a frame without an address of its own
  }
}

// --------------------------------------------------------------------------------------------- parts

function make(tag, text, more) {
  const made = Object.assign(document.createElement(tag), more);
  if (text !== null && text !== undefined) made.textContent = text;
  return made;
}

// Markdown with bold and escaped signs as only marks.
function bold(place, words) {
  if (place.dataset.words === words) return;
  place.dataset.words = words;
  const parts = words.split("**").map((part) => part.replace(/\\(.)/g, "$1"));
  place.replaceChildren(...parts.map((part, i) => (i % 2 ? make("strong", part) : part)));
}
