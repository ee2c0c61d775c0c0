// What readers do with every chart of a page: zoom and hidden lines survive a chart that is drawn
// again, a click on a line's name hides or shows the line, and the camera saves PNG or SVG.

const LOOK_AGAIN = 60; // ms between looks for a chart that was drawn again
const FILE_WIDTH = 900; // px of a saved chart
const WIDER_NAMES = 1.2; // room for names in a file's wider letters
const REDRAWN = /--\d+$/; // end of a chart's key where it was drawn twice in one run
const CAMERA = "Save as PNG or SVG";
const COARSE = matchMedia("(pointer: coarse)");
const kept = new Map(); // by chart's key: zoom, hidden lines and drag mode
const seen = new WeakSet(); // elements of charts
const restored = new WeakSet(); // layouts
const known = new WeakMap(); // by element: its data when its lines were last hidden
let source = { lines: [], template: "{}" };

export default function ({ data, parentElement }) {
  if (data.lines) {
    source = data;
    return undefined;
  }
  const looking = setInterval(look, LOOK_AGAIN);
  document.addEventListener("click", onClick, true);
  document.addEventListener("keydown", onKey, true);
  return () => {
    clearInterval(looking);
    document.removeEventListener("click", onClick, true);
    document.removeEventListener("keydown", onKey, true);
  };
}

function look() {
  for (const chart of document.querySelectorAll(".js-plotly-plot"))
    if (!seen.has(chart) && isDrawn(chart) && chart.on) attach(chart);
}

function attach(chart) {
  seen.add(chart);
  const memory = remembered(chart);
  chart.on("plotly_relayout", (changes) => {
    if ("dragmode" in changes) memory.drag = changes.dragmode;
    if (Object.keys(changes).some((name) => /^[xy]axis\d*\./.test(name))) note(chart, memory);
  });
  chart.on("plotly_restyle", ([changes]) => {
    if ("visible" in changes) memory.hidden = hiddenLines(chart);
  });
  chart.on("plotly_afterplot", () => dress(chart, memory));
  dress(chart, memory);
}

// ---------------------------------------------------------------------------------------- memory

const keyOf = (chart) =>
  /st-key-(\S+)/.exec(chart.closest('[class*="st-key-"]')?.className)?.[1].replace(REDRAWN, "") ?? "";

function remembered(chart) {
  const key = `${location.pathname} ${keyOf(chart)}`;
  if (!kept.has(key)) kept.set(key, { ranges: {}, homes: {}, hidden: new Set(), drag: undefined });
  return kept.get(key);
}

const axesOf = (chart) => Object.keys(layoutOf(chart)).filter((name) => /^[xy]axis\d*$/.test(name));

function rangeOf(chart, name) {
  const { range, autorange } = layoutOf(chart)[name];
  return { range: [...range], autorange: Boolean(autorange) };
}

const kindOf = (axis) => [axis.type, axis.title?.text].join(" ");

const isAt = (range, other) =>
  range.every((end, i) => Math.abs(end - other[i]) <= 1e-9 * Math.max(...range.map(Math.abs), 1));

function isMoved(chart, name, { range, autorange }) {
  const now = rangeOf(chart, name);
  return autorange ? !now.autorange : !isAt(range, now.range);
}

// Keeps the reader's zoom: called for changes of axes only, never for a chart that is drawn again.
function note(chart, memory) {
  memory.ranges = {};
  for (const name of axesOf(chart))
    if (memory.homes[name] && isMoved(chart, name, memory.homes[name]))
      memory.ranges[name] = { ...rangeOf(chart, name), kind: kindOf(layoutOf(chart)[name]) };
  mark(chart, memory);
}

const mark = (chart, memory) =>
  chart.toggleAttribute("data-zoomed", Object.keys(memory.ranges).length > 0);

// Zooms a chart with a new layout as before. Streamlit may draw the zoomed layout as the new one:
// then the home of an axis is what it was.
function restore(chart, memory) {
  if (restored.has(chart.layout)) return;
  restored.add(chart.layout);
  const changes = {};
  for (const name of axesOf(chart)) {
    const { range, kind } = memory.ranges[name] ?? {};
    const isSame = range && kindOf(layoutOf(chart)[name]) === kind;
    if (isSame && isAt(range, rangeOf(chart, name).range)) setHome(chart, name, memory.homes[name]);
    else memory.homes[name] = rangeOf(chart, name);
    if (isSame) changes[`${name}.range`] = range;
    else delete memory.ranges[name];
  }
  // on a touch screen a finger scrolls the page, until the reader chooses a mode on the bar
  const drag = memory.drag ?? (COARSE.matches ? false : undefined);
  if (drag !== undefined && layoutOf(chart).dragmode !== drag) changes.dragmode = drag;
  mark(chart, memory);
  if (Object.keys(changes).length) window.Plotly.relayout(chart, changes);
}

// ---------------------------------------------------------------------------------- hidden lines

const isHidden = (trace) => trace.visible === "legendonly" || trace.visible === false;
const nameOf = (trace) => trace.legendgroup || trace.name;

function hiddenLines(chart) {
  return new Set(chart.data.filter((trace) => trace.name && isHidden(trace)).map(nameOf));
}

// Traces of a line: its own, and the band before it.
function partsOf(chart, at) {
  const band = chart.data[at - 1];
  return band?.fill === "toself" && !band.name ? [at - 1, at] : [at];
}

function toggle(chart, row) {
  const at = chart.layout.meta.lines[row];
  const visible = isHidden(chart.data[at]) ? true : "legendonly";
  window.Plotly.restyle(chart, { visible }, partsOf(chart, at));
}

// Hides the remembered lines of a chart whose data are new.
function hideAgain(chart, memory) {
  if (known.get(chart) === chart.data) return false;
  known.set(chart, chart.data);
  const late = chart.data.flatMap((trace, at) =>
    trace.name && memory.hidden.has(nameOf(trace)) && !isHidden(trace) ? partsOf(chart, at) : [],
  );
  if (late.length) window.Plotly.restyle(chart, { visible: "legendonly" }, late);
  return late.length > 0;
}

// The names beside a chart's lines as buttons, and nothing left of hidden lines.
function dress(chart, memory) {
  if (!hasTraces(chart)) return;
  restore(chart, memory);
  if (hideAgain(chart, memory)) return; // comes back after that plot
  const camera = chart.querySelector('.modebar-btn[data-title^="Download plot"]');
  camera?.setAttribute("data-title", CAMERA);
  camera?.setAttribute("aria-label", CAMERA);
  camera?.setAttribute("data-camera", "");
  chart.toggleAttribute("data-named", Boolean(chart.layout.meta?.named));
  if (!chart.layout.meta?.named) return;
  const lines = chart.layout.meta.lines.map((at) => chart.data[at]);
  const hidden = lines.map(isHidden);
  namesOf(chart).forEach((text, row) => {
    text.setAttribute("role", "button");
    text.setAttribute("tabindex", "0");
    text.setAttribute("aria-pressed", String(!hidden[row]));
    text.setAttribute("aria-label", `${lines[row].name}: ${hidden[row] ? "show" : "hide"}`);
  });
  sheetOf(chart).textContent = rules(chart, hidden).join("\n");
}

// Before the traces that follow the budget, of which the numbers are the last.
function namesOf(chart) {
  const uid = traceOf(chart, -chart.layout.meta.moving - 1)?.uid;
  return uid ? [...chart.querySelectorAll(`.trace${uid} .textpoint text`)] : [];
}

function sheetOf(chart) {
  const found = chart.querySelector(":scope > style.dp-hidden");
  if (found) return found;
  const made = document.createElement("style");
  made.className = "dp-hidden";
  return chart.appendChild(made);
}

// Rules rather than elements, since Plotly makes those again for every budget.
function rules(chart, hidden) {
  if (!chart.layout.meta.moving) return [];
  const [ringed, numbers] = [-2, -1].map((at) => traceOf(chart, at)?.uid);
  const swept = chart.layout.meta.lines.map((at) => /markers/.test(chart.data[at].mode));
  const id = (chart.id ||= `chart-${Math.random().toString(36).slice(2)}`);
  return hidden.flatMap((off, row) => {
    if (!off) return [];
    const ring = swept.slice(0, row).filter(Boolean).length + 1;
    const rows = [`.trace${numbers} .textpoint:nth-child(${row + 1})`];
    if (swept[row]) rows.push(`.trace${ringed} .points > path:nth-child(${ring})`);
    return rows.map((rule) => `[id="${id}"] ${rule} { visibility: hidden }`);
  });
}

// ---------------------------------------------------------------------------------------- clicks

function onClick(event) {
  const menu = document.querySelector(".dp-save");
  if (menu && !menu.contains(event.target)) menu.remove();
  const camera = event.target.closest?.("[data-camera]");
  if (camera) return void (event.stopPropagation(), menu ?? offer(camera));
  press(event);
}

function onKey(event) {
  if (event.key === "Escape") return void document.querySelector(".dp-save")?.remove();
  if (event.key === "Enter" || event.key === " ") press(event);
}

function press(event) {
  const name = event.target.closest?.('.textpoint text[role="button"]');
  const chart = name?.closest(".js-plotly-plot");
  if (!chart) return;
  event.preventDefault();
  event.stopPropagation();
  const row = namesOf(chart).indexOf(name);
  if (row >= 0) toggle(chart, row);
}

// ---------------------------------------------------------------------------------------- camera

function offer(camera) {
  const chart = camera.closest(".js-plotly-plot");
  const menu = document.createElement("div");
  menu.className = "dp-save";
  for (const format of ["png", "svg"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = format.toUpperCase();
    button.onclick = () => {
      menu.remove();
      saveChart(`dpviz-${keyOf(chart)}`, format, asShown(chart), source.lines);
    };
    menu.append(button);
  }
  chart.append(menu);
  menu.firstChild.focus();
}

// The chart as it is on the page, on white, without hidden lines.
function asShown(chart) {
  const listed = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
  const { data, layout } = JSON.parse(
    JSON.stringify({ data: chart.data, layout: chart.layout }, listed),
  );
  layout.template = JSON.parse(source.template);
  layout.width = FILE_WIDTH;
  layout.height = chart.clientHeight;
  if (layout.meta?.named) withoutHidden(data, layout, chart.hasAttribute("data-zoomed"));
  return { data, layout };
}

function withoutHidden(data, layout, zoomed) {
  const { lines, room, moving } = layout.meta;
  layout.margin.r = Math.round(WIDER_NAMES * room);
  const [names, numbers, ringed] = [data.at(-moving - 1), data.at(-1), data.at(-2)];
  const off = lines.map((at) => isHidden(data[at]));
  for (const words of new Set([names, numbers]))
    words.text = words.text.map((text, row) => (off[row] ? "" : text));
  const isWrong = (at) => off[at % lines.length] || (zoomed && at < lines.length);
  layout.shapes = layout.shapes.filter((_, at) => at >= 2 * lines.length || !isWrong(at));
  if (!moving) return;
  const swept = lines.map((at, row) => row).filter((row) => /markers/.test(data[lines[row]].mode));
  const shown = (_, at) => !off[swept[at]];
  [ringed.x, ringed.y] = [ringed.x, ringed.y].map((row) => row.filter(shown));
}
