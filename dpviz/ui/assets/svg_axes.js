// Axes of the charts that figure_svg.js draws: from a figure's layout to places in pixels, ticks and
// their words, as Plotly sets them.

const PAD = 8; // px between the plot and its ticks, as the app's pages have it
const TICK = 5; // px of a tick's line, beside cells alone
const SIGNS = { 6: "M", 9: "G", 3: "k", "-3": "m", "-6": "μ", "-9": "n" };
const MINUS = "\u2212";

// ---------------------------------------------------------------------------------- numbers in words

// As d3 writes a number: the types f, g, e, %, d and none, a comma for thousands, ~ for no last zeros.
function formatted(value, spec) {
  const [, comma, digits, trim, type] = /^(,?)(?:\.(\d+))?(~?)([fge%d]?)$/.exec(spec);
  const places = digits === undefined ? 6 : Number(digits);
  let text;
  if (type === "%") text = (value * 100).toFixed(places);
  else if (type === "f") text = value.toFixed(places);
  else if (type === "e") text = value.toExponential(places);
  else if (type === "d") text = String(Math.round(value));
  else if (type === "g") text = general(value, places || 1);
  else text = digits === undefined ? String(+value.toPrecision(12)) : String(+value.toPrecision(places));
  if (trim && text.includes(".")) text = text.replace(/\.?0+$/, "");
  if (comma) text = text.replace(/^(-?)(\d+)/, (_, sign, whole) =>
    sign + whole.replace(/\B(?=(\d{3})+$)/g, ","));
  return text.replace("-", MINUS) + (type === "%" ? "%" : "");
}

function general(value, places) {
  const power = value ? Math.floor(Math.log10(Math.abs(+value.toPrecision(places)))) : 0;
  return power < -6 || power >= places ? value.toExponential(places - 1) : value.toPrecision(places);
}

// A tick's number: with a sign for thousands where the greatest of its axis has five digits.
function plain(value, greatest, step) {
  const power = Math.floor(Math.log10(greatest || 1) + 0.01);
  const shared = Math.abs(power) > 3 ? 3 * Math.round((power - 1) / 3) : 0;
  const round = Math.max(0, 2 - Math.floor(Math.log10(step) + 0.01) + shared);
  const digits = (value / 10 ** shared).toFixed(Math.min(round, 20));
  const text = digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
  return text.replace(/^-0$/, "0").replace("-", MINUS) + (Number(text) && shared ? SIGNS[shared] ?? `e${shared}` : "");
}

// ------------------------------------------------------------------------------------------ the axes

// All axes of a layout, each with what its traces need of it.
function axesOf(layout, data) {
  const axes = {};
  for (const [key, entries] of Object.entries(layout)) {
    const [, letter, number] = /^([xy])axis(\d*)$/.exec(key) ?? [];
    if (letter) axes[letter + number] = axisOf(letter, number, entries);
  }
  for (const trace of data)
    for (const letter of ["x", "y"]) {
      const id = trace[`${letter}axis`] ?? letter;
      axes[id] ??= axisOf(letter, id.slice(1), {});
      axes[id].traces.push(trace);
      if (trace.type === "heatmap") axes[id].tick = TICK;
    }
  for (const axis of Object.values(axes)) {
    axis.partner = axes[axis.anchor] ?? axes[axis.upright ? "x" : "y"];
    axis.names = namesOf(axis);
  }
  return axes;
}

function axisOf(letter, number, entries) {
  const upright = letter === "y";
  return {
    traces: [], tick: 0, upright, letter, id: letter + number, key: `${letter}axis${number}`,
    domain: [0, 1], visible: true, showticklabels: true, automargin: true, showgrid: upright,
    side: upright ? "left" : "bottom", log: entries.type === "log",
    anchor: (upright ? "x" : "y") + (entries.overlaying ? "" : number),
    ...entries,
    size: entries.tickfont?.size ?? 12,
    standoff: entries.title?.standoff ?? (upright ? 24 : 20),
  };
}

// The categories of an axis whose traces stand at words, in the order in which they come.
function namesOf(axis) {
  if (axis.type === "linear" || axis.log) return null;
  const all = axis.traces.flatMap((trace) => Array.from(numbers(trace[axis.letter]) ?? []));
  return all.some((value) => typeof value === "string" && !(value.trim() && isFinite(value)))
    ? [...new Set(all)] : null;
}

// A value on the axis' own line: its logarithm, or the place of its name.
function along(axis, value) {
  if (axis.names && typeof value === "string") return axis.names.indexOf(value);
  if (value === null || value === undefined || value === "") return NaN;
  return axis.log ? Math.log10(value) : Number(value);
}

// Gives the axis its place between two pixels, and with it its range; bars: boxes by trace.
function place(axis, from, length, bars, wanted = axis.range?.map(Number)) {
  axis.from = from;
  axis.length = length;
  const range = wanted ?? rangeOf(axis, bars);
  axis.ends = range;
  const [low, high] = range;
  const step = length / (high - low);
  axis.step = step;
  axis.at = (line) => (axis.upright ? from + (high - line) * step : from + (line - low) * step);
  // nothing has no logarithm: it lies far below
  const far = (low + high) / 2 - 20.5 * Math.abs(high - low);
  axis.px = (value) => axis.at(axis.log && value !== null && value <= 0 ? far : along(axis, value));
}

// Every trace asks for its least and greatest value with pixels beside them; the pair that needs most
// of the axis decides.
function rangeOf(axis, bars) {
  const asked = axis.traces.map((trace) => spanOf(axis, trace, bars)).filter(({ low, high }) => low <= high);
  const zero = !axis.log && (axis.rangemode === "tozero" || asked.some((one) => one.zero));
  if (!asked.length) return axis.log ? [0, 1] : [zero ? 0 : -1, 6];
  const least = asked.map(({ low, pad }) => (zero && low >= 0 ? [0, 0] : [low, pad]));
  const greatest = asked.map(({ high, pad }) => (zero && high <= 0 ? [0, 0] : [high, pad]));
  let found = null, most = 0;
  for (const [low, before] of least) for (const [high, after] of greatest) {
    const unit = (high - low) / (axis.length - before - after);
    if (unit > most) [most, found] = [unit, [low - unit * before, high + unit * after]];
  }
  found ??= zero && least[0][0] === 0 ? [0, 1] : [least[0][0] - 1, least[0][0] + 1];
  return axis.autorange === "reversed" ? found.reverse() : found;
}

// What one trace takes of an axis: on the axis' line, and pixels past that.
function spanOf(axis, trace, bars) {
  const span = (lines, pad, zero = false) => {
    const known = lines.filter(Number.isFinite);
    return { low: Math.min(...known), high: Math.max(...known), pad, zero };
  };
  if (trace.type === "bar") {
    const sized = axis.upright !== (trace.orientation === "h");
    const boxes = bars.get(trace);
    if (!sized) return span(boxes.flatMap(({ room }) => room), 0);
    const outside = trace.textposition === "outside" ? LINE * (trace.textfont?.size ?? 13) + 3 : 0;
    const ends = boxes.flatMap((box) => box.ends);
    return span(axis.log ? ends.map((end) => (end > 0 ? Math.log10(end) : NaN)) : ends, 0.05 * axis.length + outside, true);
  }
  const lines = numbersOf(trace[axis.letter]).map((value) => along(axis, value));
  if (trace.type === "heatmap") {
    const half = lines.length > 1 ? Math.abs(lines[1] - lines[0]) / 2 : 0.5;
    return span(lines.flatMap((line) => [line - half, line + half]), 0);
  }
  const size = trace.marker?.size ?? 6;
  const mark = /markers/.test(trace.mode) ? Math.max((typeof size === "number" ? size : Math.max(...numbers(size))) / 1.6, 3) : 0;
  return span(lines, 0.05 * axis.length + mark);
}

// Where two axes have one scale, the one with room shows more.
function oneScale(axis, other) {
  const [mine, theirs] = [Math.abs(axis.step), Math.abs(other.step)];
  const [wide, step] = mine > theirs ? [axis, theirs] : [other, mine];
  const middle = (wide.ends[0] + wide.ends[1]) / 2;
  const half = (wide.length / step / 2) * Math.sign(wide.ends[1] - wide.ends[0]);
  place(wide, wide.from, wide.length, null, [middle - half, middle + half]);
}

// ----------------------------------------------------------------------------------------- the ticks

// Each tick: where it stands on the axis' line, and its words.
function ticksOf(axis) {
  const [low, high] = [Math.min(...axis.ends), Math.max(...axis.ends)];
  const near = (high - low) * 1e-4;
  const inside = ({ line }) => line >= low - near && line <= high + near;
  if (axis.tickvals) return numbersOf(axis.tickvals).map((value, i) => {
    const line = along(axis, value);
    return { line, text: axis.ticktext?.length ? String(axis.ticktext[i] ?? "") : tickText(axis, line, stepOf(axis, high - low)) };
  }).filter(inside);
  if (typeof axis.dtick === "string") return fine(axis, low, high).filter(inside);
  const step = axis.dtick ?? stepOf(axis, high - low);
  const first = Math.ceil((low - near) / step);
  const count = Math.min(Math.floor((high + near) / step) - first + 1, 1000);
  const lines = Array.from({ length: Math.max(count, 0) }, (_, i) => +((first + i) * step).toPrecision(12));
  const size = axis.log && axis.exponentformat === "power" ? 1.25 : 1;
  return lines.map((line) => ({ line, size, text: tickText(axis, line, step) })).filter(({ text }) => text !== undefined);
}

function stepOf(axis, span) {
  const most = axis.nticks || Math.min(Math.max(axis.length / (axis.upright ? 40 : 80), 4), 9) + 1;
  const rough = span / most;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ten * ([2, 5].find((times) => rough / ten < times) ?? 10);
  return axis.names ? Math.max(1, Math.ceil(step)) : step;
}

// 1, 2 and 5 of every power of ten; the latter two in smaller letters without their power.
function fine(axis, low, high) {
  const found = [];
  for (let power = Math.floor(low); power <= high; power++)
    for (const times of [1, 2, 5]) {
      const value = times * 10 ** power;
      const text = axis.tickformat || times === 1 ? tickText(axis, Math.log10(value), 1) : String(times);
      const small = !axis.tickformat && times > 1;
      found.push({ line: power + Math.log10(times), text, size: small ? 0.75 : 1 });
    }
  return found;
}

function tickText(axis, line, step) {
  if (axis.names) return axis.names[line];
  const value = axis.log ? 10 ** line : line;
  if (axis.tickformat) return formatted(+value.toPrecision(12), axis.tickformat);
  if (!axis.log) return plain(value, Math.max(...axis.ends.map(Math.abs)), step);
  const power = Math.round(line);
  if (axis.exponentformat !== "power" || Math.abs(power - line) > 1e-6) return plain(value, value, value);
  return power === 0 ? "1" : power === 1 ? "10" : `10<sup>${power < 0 ? MINUS : ""}${Math.abs(power)}</sup>`;
}

// The angle at which the words of a level axis stand clear of each other.
function angleOf(axis, ticks, widths) {
  if (axis.tickangle !== undefined) return axis.tickangle;
  if (axis.upright || ticks.length < 2) return 0;
  const middles = ticks.map(({ line }) => axis.at(line));
  const meet = middles.some((at, i) => i && Math.abs(at - middles[i - 1]) < (widths[i] + widths[i - 1]) / 2 + 2);
  if (!meet) return 0;
  const apart = Math.abs(middles.at(-1) - middles[0]) / (ticks.length - 1);
  const lines = Math.max(...ticks.map(({ text }) => text.split("<br>").length));
  const tall = axis.size * LINE * lines;
  const angles = axis.autotickangles ?? [0, 30, 90];
  const fits = (angle) => Math.abs(Math.cos((angle * Math.PI) / 180)) <= apart / Math.hypot(apart, tall);
  return angles.find(fits) ?? angles.at(-1);
}
