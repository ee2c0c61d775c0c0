// The legend of a chart of figure_svg.js, its scale of colours, shapes, notes and patterns, each where
// Plotly has it.

const ITEM = { gap: 5, width: 40, pad: 10 }; // px of a legend's entries: between, before words, around
const FROM = { left: 0, center: 0.5, right: 1, top: 0, middle: 0.5, bottom: 1 };

// -------------------------------------------------------------------------------------------- legend

// The entries of a legend with their sizes, or nothing where none is shown.
function legendOf(chart) {
  const { data, layout } = chart;
  const rank = ({ legendrank = 1000 }) => legendrank;
  const named = data.filter((trace) => trace.showlegend !== false && trace.type !== "heatmap")
    .sort((one, other) => rank(one) - rank(other));
  const wanted = layout.showlegend ?? (data.filter(({ type }) => type !== "heatmap").length > 1 || named.some(({ showlegend }) => showlegend));
  if (!wanted || !named.length) return null;
  const entries = { orientation: "h", x: 0, y: -0.1, ...layout.legend };
  entries.yanchor ??= "top";
  const size = entries.font?.size ?? 12;
  const items = named.map((trace) => {
    const text = trace.name ?? `trace ${data.indexOf(trace)}`;
    const { width, lines } = measure(text, size, chart.family);
    return { trace, text, lines, wide: width + ITEM.width, tall: Math.max(lines * LINE * size, 16) + 3 };
  });
  const backwards = (entries.traceorder ?? (data.some(({ type, fill }) => (type === "bar" && layout.barmode === "stack") || fill === "tonexty") ? "reversed" : "normal")).includes("reversed");
  const groups = new Map();
  for (const item of items) {
    const key = item.trace.legendgroup ?? item;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  const grouped = named.some(({ legendgroup }) => legendgroup);
  const rows = grouped ? [...groups.values()] : [items];
  if (backwards) rows.forEach((row) => row.reverse());
  return { entries, size, rows, grouped };
}

// Sets the entries in rows as wide as the plot; gives the legend its own size.
function arranged(legend, wide) {
  const { rows, grouped, entries } = legend;
  const most = Math.max(wide, 2 * ITEM.width);
  const items = rows.flat();
  let [x, y, row, longest] = [0, 0, 0, 0];
  if (entries.orientation === "v") {
    for (const item of items) [item.at, y] = [[0, y + item.tall / 2 + ITEM.gap], y + item.tall];
    [longest, row] = [Math.max(...items.map((item) => item.wide)) + ITEM.gap, 0];
  } else if (grouped) {
    for (const group of rows) {
      const [across, tall] = [Math.max(...group.map((item) => item.wide)), group.reduce((sum, item) => sum + item.tall, 0)];
      if (x > 0 && across + ITEM.gap + x > most) [x, y, row] = [0, y + row + 10, 0];
      let down = 0;
      for (const item of group) [item.at, down] = [[x, y + ITEM.gap + item.tall / 2 + down], down + item.tall];
      [x, row] = [x + across + ITEM.gap, Math.max(row, tall)];
      longest = Math.max(longest, x);
    }
  } else {
    const oneRow = items.reduce((sum, item) => sum + item.wide, (items.length - 1) * ITEM.gap) < most;
    const widest = Math.max(...items.map((item) => item.wide));
    for (const item of items) {
      const across = oneRow ? item.wide : widest;
      if (!oneRow && x + across >= most) [x, y, row] = [0, y + row, 0];
      item.at = [x, y + item.tall / 2 + ITEM.gap];
      [x, row] = [x + across + ITEM.gap, Math.max(row, item.tall)];
      longest = Math.max(longest, x);
    }
  }
  legend.width = Math.ceil(longest);
  legend.height = Math.ceil(y + row + ITEM.pad);
}

function legendPush(chart, size, pad) {
  if (!chart.legend) return [];
  arranged(chart.legend, size.w);
  const { entries: { y, yanchor, yref }, height } = chart.legend;
  if (yref === "container") return [];
  const above = FROM[yanchor];
  return [{ b: [y, height * (1 - above) + pad], t: [y, height * above + pad] }];
}

function entriesOf(chart, size) {
  const { entries, rows, width, height, size: letter } = chart.legend;
  const wholly = entries.yref === "container" ? chart.height * (1 - entries.y) : size.t + size.h * (1 - entries.y);
  const left = Math.max(0, Math.min(size.l + size.w * entries.x, chart.width - width));
  const top = Math.max(0, Math.min(wholly - FROM[entries.yanchor] * height, chart.height - height));
  const ground = make("rect", { x: at2(left), y: at2(top), width, height, fill: entries.bgcolor ?? chart.theme.paper });
  return [ground, ...rows.flat().map((item) => make("g", { transform: `translate(${at2(left + item.at[0])},${at2(top + item.at[1])})` },
    sampleOf(chart, item.trace),
    chart.text(item.text, ITEM.width, LINE * letter * (0.3 + (1 - item.lines) / 2), letter, "start")))];
}

function sampleOf(chart, trace) {
  const first = (value) => (Array.isArray(value) || value?.bdata ? numbers(value)[0] : value);
  const mean = (value) => (typeof value === "object" && value ? numbersOf(value).reduce((sum, one, _, all) => sum + one / all.length, 0) : value);
  const marker = markerOf(trace);
  if (trace.type === "bar") {
    const wide = Math.min(mean(marker.line?.width) ?? 0, 5);
    const fill = chart.filled(first(marker.color), first(marker.pattern?.shape), marker.pattern);
    return make("path", { d: "M14,-6h12v12h-12Z", fill, stroke: wide ? first(marker.line?.color) : null, "stroke-width": wide || null });
  }
  const [mode, fill] = [trace.mode ?? "lines", trace.fill];
  const line = mode.includes("lines") && (trace.line?.width ?? 2) > 0;
  const start = mode.includes("markers") || !fill ? "M5,0" : line ? "M5,-2" : "M5,-3";
  const size = Math.min(Math.max(mean(marker.size) ?? 6, 2), 16);
  return [
    fill && make("path", { d: `${start}h30v6h-30Z`, fill: trace.fillcolor }),
    line && make("path", { d: `${start}h30`, ...pen({ color: marker.color, ...trace.line, width: Math.min(trace.line?.width ?? 2, 10) }) }),
    mode.includes("markers") && make("path", { transform: "translate(20,0)", ...markOf(marker, 0, size) }),
  ];
}

// ---------------------------------------------------------------------------------- scale of colours

const scaled = ({ type, showscale, z }) => type === "heatmap" && showscale !== false && numbers(z).some((row) => row.some(Number.isFinite));

function scaleTicks(chart, trace) {
  const bar = trace.colorbar ?? {};
  const step = (trace.zmax - trace.zmin) / 5;
  const values = bar.tickvals ?? Array.from({ length: 6 }, (_, i) => +(trace.zmin + i * step).toPrecision(12));
  const worded = (value) => (bar.tickformat ? formatted(value, bar.tickformat) : plain(value, Math.max(Math.abs(trace.zmin), Math.abs(trace.zmax)), step));
  return values.map((value, i) => ({ value, text: bar.ticktext?.[i] ?? worded(value) }));
}

const widestTick = (chart, trace) => Math.max(...scaleTicks(chart, trace).map(({ text }) => chart.wide(text, chart.letters)));

// Width of a title that stands upright beside the numbers; 0 where it is above them.
function besideOf({ colorbar: { title } = {} }) {
  return title?.side === "right" ? 1.5 * (title.font?.size ?? 16) : 0;
}

function scalePush(chart, size, pad) {
  return chart.data.filter(scaled).map((trace) => {
    const words = widestTick(chart, trace);
    return { r: [1.02, 20 + (trace.colorbar?.thickness ?? 30) + words + besideOf(trace) + pad] };
  });
}

function titleBeside(chart, title, x, middle) {
  const turn = { transform: `rotate(90,${at2(x)},${at2(middle)})` };
  return chart.text(title.text, x, middle, title.font?.size ?? 16, "middle", turn);
}

function scaleOf(chart, trace, size) {
  const { thickness = 30, len = 1, outlinewidth = 1, title } = trace.colorbar ?? {};
  const id = `${chart.own}-scale${chart.defs.length}`;
  const beside = besideOf(trace);
  const titled = title?.text && !beside ? 24 : 0;
  const [left, tall] = [size.l + size.w * 1.02 + 10, size.h * len - 20 - titled];
  const top = size.t + (size.h * (1 - len)) / 2 + 10 + titled;
  const stops = trace.colorscale.map(([offset, colour]) => make("stop", { offset, "stop-color": colour }));
  chart.defs.push(make("linearGradient", { id, x1: 0, y1: 1, x2: 0, y2: 0 }, stops));
  const at = (value) => top + tall * (1 - (value - trace.zmin) / (trace.zmax - trace.zmin));
  return [
    make("rect", { x: at2(left), y: at2(top), width: thickness, height: at2(tall), fill: `url(#${id})`, stroke: outlinewidth ? "#444" : null }),
    titled && chart.text(title.text, left, top - 8, 16, "start"),
    beside && titleBeside(chart, title, left + thickness + 8.6 + widestTick(chart, trace), top + tall / 2),
    scaleTicks(chart, trace).map(({ value, text }) => chart.text(text, left + thickness + 2, at(value) + 0.35 * chart.letters, chart.letters, "start")),
  ];
}

// ---------------------------------------------------------------------------------- shapes and notes

// A place along a reference: shares of the figure's plot or of an axis, or values of an axis.
function placed(ref, letter, value, axes, size) {
  const [id, domain] = ref.split(" ");
  const upright = letter === "y";
  if (id === "paper") return upright ? size.t + size.h * (1 - value) : size.l + size.w * value;
  const axis = axes[id];
  if (domain) return upright ? axis.from + axis.length * (1 - value) : axis.from + axis.length * value;
  return axis.px(value);
}

function shapeOf(chart, shape, axes, size) {
  const ends = (letter) => {
    const ref = shape[`${letter}ref`] ?? letter;
    const sign = letter === "y" ? -1 : 1;
    if (shape[`${letter}sizemode`] !== "pixel") return [0, 1].map((i) => placed(ref, letter, shape[`${letter}${i}`], axes, size));
    const from = placed(ref, letter, shape[`${letter}anchor`], axes, size);
    return [0, 1].map((i) => from + sign * shape[`${letter}${i}`]);
  };
  const [[left, right], [top, foot]] = [ends("x").map(at2), ends("y").map(at2)];
  const { type, fillcolor, line = {} } = shape;
  const wide = line.width ?? 2;
  const look = { stroke: wide ? line.color : null, "stroke-width": wide || null, "stroke-dasharray": dashes(line.dash, wide) };
  const clip = { "clip-path": clipOf(chart, shape, axes) };
  if (type === "line") return make("path", { d: `M${left},${top}L${right},${foot}`, ...look, ...clip });
  return make("path", { d: `M${left},${top}H${right}V${foot}H${left}Z`, fill: fillcolor ?? "none", ...look, ...clip });
}

// What stands at an axis' values ends with that axis.
function clipOf(chart, shape, axes) {
  const own = (letter) => axes[(shape[`${letter}ref`] ?? letter).split(" ")[0]];
  const [x, y] = [own("x"), own("y")];
  if (!x && !y) return null;
  const id = `${chart.own}-s${x?.id ?? ""}${y?.id ?? ""}`;
  if (!chart.defs.some(({ set }) => set.id === id))
    chart.defs.push(make("clipPath", { id }, make("rect", { x: x?.from ?? 0, y: y?.from ?? 0, width: x?.length ?? chart.width, height: y?.length ?? chart.height })));
  return `url(#${id})`;
}

function noteOf(chart, note, axes, size) {
  const [x, y] = ["x", "y"].map((letter) => placed(note[`${letter}ref`] ?? letter, letter,
    axes[note[`${letter}ref`] ?? letter]?.log ? 10 ** note[letter] : note[letter], axes, size));
  const letter = note.font?.size ?? chart.letters;
  const { width, up, down, lines } = measure(note.text, letter, chart.family);
  const pad = (note.borderpad ?? 1) + 1;
  const [wide, tall] = [width + 2 * pad, up + down + (lines - 1) * LINE * letter + 2 * pad];
  const left = x + (note.xshift ?? 0) - FROM[note.xanchor ?? "center"] * wide;
  const top = Math.round(y - (note.yshift ?? 0) - FROM[note.yanchor ?? "middle"] * tall);
  const align = { left: [0, "start"], center: [0.5, "middle"], right: [1, "end"] }[note.align ?? "center"];
  return chart.text(note.text, left + pad + align[0] * width, top + pad + up, letter, align[1], { opacity: note.opacity ?? null });
}

// ------------------------------------------------------------------------------------------- patterns

function patterned(chart, colour, shape, { size = 8, solidity = 0.3 }) {
  const id = `${chart.own}-p${chart.defs.length}`;
  const [q, wide] = [size / 4, (solidity * size) / Math.SQRT2];
  const slant = `M-${q},${q}l${2 * q},-${2 * q}M0,${size}L${size},0M${3 * q},${5 * q}l${2 * q},-${2 * q}`;
  const other = `M${3 * q},-${q}l${2 * q},${2 * q}M0,0L${size},${size}M-${q},${3 * q}l${2 * q},${2 * q}`;
  const mark = shape === "." ? make("circle", { cx: size / 2, cy: size / 2, r: at2(Math.sqrt((solidity * size * size) / Math.PI)), fill: colour })
    : make("path", { d: shape === "/" ? slant : other, stroke: colour, "stroke-width": at2(wide) });
  chart.defs.push(make("pattern", { id, width: size, height: size, patternUnits: "userSpaceOnUse" }, mark));
  return `url(#${id})`;
}
