// Draws a frame of a Plotly chart into the elements that Plotly made for another one: only what
// differs, while Plotly.animate goes through the whole chart. For scatter traces whose looks stay,
// with <b> and <br> as only marks. Gives false, with nothing changed, where a frame holds more than
// that.

const ARRAYS = { f4: Float32Array, f8: Float64Array };
const MARKED = /<(?!\/?b>|br>)|[&$]/; // what Plotly reads as more than bold and a new line
const LINE = 1.3; // of Plotly's letters, in their size
const patterns = new WeakMap(); // by group of points: one of them, for when it is empty

function drawFrame(chart, name) {
  const frame = frameNamed(chart, name);
  const parts = frame?.data.map((news, i) => partOf(chart, news, frame.traces[i]));
  if (!parts?.every(Boolean)) return false;
  parts.forEach(drawPart);
  return true;
}

function partOf(chart, news, index) {
  const trace = traceOf(chart, index);
  const root = trace?.uid && chart.querySelector(`.trace${trace.uid}`);
  const [across, up] = ["x", "y"].map((way) => {
    const axis = trace?.[`${way}axis`];
    return axis && layoutOf(chart)[axis.replace(way, `${way}axis`)];
  });
  const [x, y] = [news.x, news.y].map(numbers);
  // a trace that began without points has no mode
  if (!root || !trace.mode || !across?.d2p || !up?.d2p || !x || !y) return null;
  const places = Array.from(x, (value, i) => [value, y[i]]).map((pair) =>
    pair.every(Number.isFinite) ? [across.d2p(pair[0]), up.d2p(pair[1])] : null,
  );
  const [lines, points, texts] = [".lines > path", ".points > path", ".text > .textpoint > text"]
    .map((which) => [...root.querySelectorAll(which)]);
  const part = { trace, news, places, lines, points, texts, size: [across, up].map(lengthOf) };
  part.group = root.querySelector(".points");
  return drawable(part) ? part : null;
}

function numbers(values) {
  if (Array.isArray(values)) return values;
  const kind = ARRAYS[values?.dtype];
  return kind && new kind(Uint8Array.from(atob(values.bdata), (c) => c.charCodeAt(0)).buffer);
}

// Plotly leaves out points without a place and words that are empty, so that elements and points
// would not go together.
function drawable({ trace, news, places, lines, points, texts, group }) {
  const has = (mode) => trace.mode.includes(mode);
  const whole = places.every(Boolean);
  if (has("lines") && !lines.length) return false;
  if (has("markers") && places.length) {
    if (points.length) patterns.set(group, points[0].cloneNode(true));
    if (!whole || !patterns.has(group)) return false;
  }
  const kept = (text, i) => text === texts[i].dataset.unformatted || (text && !MARKED.test(text));
  if (!has("text")) return true;
  const words = news.text ?? [];
  return whole && texts.length === places.length && texts.length === words.length
    && words.every(kept);
}

function drawPart(part) {
  if (part.trace.mode.includes("lines")) drawLines(part);
  if (part.trace.mode.includes("markers")) drawPoints(part);
  part.texts.forEach((text, i) => drawText(part, text, i));
}

function drawLines({ lines, places }) {
  const path = places.map((at, i) => (at ? `${i && places[i - 1] ? "L" : "M"}${at}` : ""));
  lines.forEach((line, i) => put(line, "d", i ? "M0,0" : path.join("")));
}

function drawPoints({ trace, group, points, places, size }) {
  while (points.length > places.length) points.pop().remove();
  while (points.length < places.length)
    points.push(group.appendChild(patterns.get(group).cloneNode(true)));
  points.forEach((point, i) => {
    put(point, "transform", `translate(${places[i]})`);
    if (trace.cliponaxis !== false) return;
    const out = places[i].some((at, k) => at < -0.01 || at > size[k] + 0.01);
    put(point, "display", out ? "none" : null);
  });
}

function drawText({ trace, news, places }, text, i) {
  const [x, y] = places[i];
  const changed = text.dataset.unformatted !== news.text[i];
  const lines = news.text[i].split("<br>");
  if (changed) {
    text.dataset.unformatted = news.text[i];
    text.replaceChildren(...(lines.length > 1 ? lines.map(lineOf) : bold(lines[0])));
  }
  [text, ...text.querySelectorAll(".line")].forEach((each) => {
    put(each, "x", x);
    put(each, "y", y);
  });
  if (!Array.isArray(news.textposition)) return;
  const [upright, level] = news.textposition[i].split(" ");
  const side = { top: -1, middle: 0, bottom: 1 }[upright];
  const [way, anchor] = { left: [-1, "end"], center: [0, "middle"], right: [1, "start"] }[level];
  const clear = trace.mode.includes("markers") ? trace.marker.size / 1.6 + 1 : 0;
  const [letter, tall] = [trace.textfont.size, (lines.length - 1) * LINE + 1];
  const down = 0.75 * letter + side * clear + ((side - 1) * tall * letter) / 2;
  put(text, "text-anchor", anchor);
  put(text.parentNode, "transform", `translate(${way * clear},${down})`);
}

function lineOf(words, i) {
  const line = tspan(...bold(words));
  line.setAttribute("class", "line");
  line.setAttribute("dy", `${i * LINE}em`);
  return line;
}

function bold(words) {
  const parts = words.split(/<\/?b>/).map((part, i) => {
    if (i % 2 === 0) return part;
    const strong = tspan(part);
    strong.style.fontWeight = "bold";
    return strong;
  });
  return parts.filter((part) => part !== "");
}

function tspan(...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "tspan");
  made.append(...inside);
  return made;
}

function put(element, name, value) {
  if (element.getAttribute(name) === (value === null ? null : String(value))) return;
  value === null ? element.removeAttribute(name) : element.setAttribute(name, value);
}
