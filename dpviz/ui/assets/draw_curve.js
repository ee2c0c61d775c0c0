// A chart in which a curve is drawn with mouse, finger or keys. Once it is whole and sent, the
// server answers with the true curve, which is laid over it. In a room the curves of the others are
// laid under both (`data.others`), and what is sent may be drawn anew (`data.sent`, words for it).

const EDGE = { left: 46, right: 18, top: 12, bottom: 46 };
const HEIGHTS = { low: 220, high: 280 };
// a window in which question, chart and button would not fit otherwise
const SMALL = "(max-width: 640px), (max-height: 800px)";
const REACH = 12; // px beside a point within which a hand sets it
const SLACK = 4; // px beside a point within which a stroke still moves it
const charts = new WeakMap();

export default function ({ data, setTriggerValue, parentElement }) {
  const root = parentElement.querySelector(".dp-draw");
  if (!charts.has(root)) charts.set(root, begin(root));
  charts.get(root)(data, (said) => setTriggerValue("drawn", said));
}

function svg(tag, attributes, parent, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return parent.appendChild(made);
}

function begin(root) {
  const [legend, chart, button, told] = ["p", "svg", "button", "output"].map((tag) =>
    root.querySelector(tag),
  );
  let data, tell, values, line, points, picked, before, closest;
  let width = 0;
  const height = matchMedia(SMALL).matches ? HEIGHTS.low : HEIGHTS.high;
  chart.style.height = `${height}px`;

  const whole = () => values.every((value) => value !== null);
  const locked = () => data.over;
  const x = (i) => EDGE.left + 10 + (width - EDGE.left - EDGE.right - 20) * data.places[i];
  const y = (share) => EDGE.top + (height - EDGE.top - EDGE.bottom) * (1 - share / 100);
  const path = (shares) =>
    shares
      .map((share, i) =>
        share === null ? "" : `${i && shares[i - 1] !== null ? "L" : "M"}${x(i)},${y(share)}`,
      )
      .join("");

  function build() {
    width = root.clientWidth;
    chart.replaceChildren();
    chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
    chart.setAttribute("aria-label", `${data.beside}, by ${data.below}: your curve`);
    axes();
    for (const shares of data.others ?? []) svg("path", { class: "other", d: path(shares) }, chart);
    if (data.truth.length) truth();
    line = svg("path", { class: "yours" }, chart);
    points = values.map((_, i) => point(i));
    paint();
  }

  function axes() {
    for (const share of [0, 25, 50, 75, 100]) {
      svg("path", { class: "grid", d: `M${EDGE.left},${y(share)}H${width - EDGE.right}` }, chart);
      svg("text", { x: EDGE.left - 6, y: y(share) + 4, "text-anchor": "end" }, chart, share);
    }
    let last = -Infinity;
    data.names.forEach((name, i) => {
      svg("path", { class: "grid", d: `M${x(i)},${y(0)}v4` }, chart);
      if (x(i) - last < 34) return;
      last = x(i);
      svg("text", { x: x(i), y: y(0) + 18, "text-anchor": "middle" }, chart, name);
    });
    const middle = (EDGE.left + width - EDGE.right) / 2;
    const scale = data.scale ? ` (${data.scale})` : "";
    svg("text", { x: middle, y: height - 8, "text-anchor": "middle" }, chart, data.below + scale);
  }

  function truth() {
    const [means, lows, highs] = [0, 1, 2].map((k) => data.truth.map((three) => three[k]));
    const back = highs.map((share, i) => `L${x(i)},${y(share)}`).reverse();
    svg("path", { class: "band", d: `${path(lows)}${back.join("")}Z` }, chart);
    svg("path", { class: "true", d: path(means), pathLength: 1 }, chart);
    means.forEach((share, i) =>
      svg("rect", { class: "true", x: x(i) - 4, y: y(share) - 4, width: 8, height: 8 }, chart),
    );
  }

  function point(i) {
    const made = svg("circle", { r: 7, role: "slider", cx: x(i) }, chart);
    made.ariaValueMin = 0;
    made.ariaValueMax = 100;
    made.ariaLabel = `${data.beside} at ${data.below} ${data.names[i]}`;
    made.onfocus = () => {
      picked = i;
      paint();
    };
    made.onkeydown = (event) => key(event, i);
    return made;
  }

  function paint() {
    line.setAttribute("d", path(values));
    points.forEach((made, i) => {
      const value = values[i];
      made.setAttribute("cy", y(value ?? 50));
      made.classList.toggle("open", value === null);
      made.classList.toggle("none", value === null && locked());
      made.tabIndex = i === picked ? 0 : -1;
      made.ariaValueNow = value ?? 50;
      made.ariaDisabled = locked();
      const true_ = data.truth[i] ? `, true ${Math.round(data.truth[i][0])}%` : "";
      made.ariaValueText = `${value === null ? "not drawn" : `${value}%`}${true_}`;
    });
    const drawn = values.filter((value) => value !== null).length;
    button.hidden = locked();
    button.disabled = !whole();
    told.hidden = locked();
    told.textContent = whole()
      ? ""
      : `Draw from one side to the other, or pick a point and use ↑ ↓: ${drawn} of ${values.length} points`;
    legend.className = data.truth.length ? (data.drawn.length ? "both" : "skipped") : "";
    legend.firstChild.textContent = data.beside;
  }

  // --------------------------------------------------------------------------------- by hand

  const clamp = (share) => Math.min(100, Math.max(0, Math.round(share)));

  function place(event) {
    const box = chart.getBoundingClientRect();
    const share = 1 - (event.clientY - box.top - EDGE.top) / (height - EDGE.top - EDGE.bottom);
    return { x: event.clientX - box.left, share: 100 * share };
  }

  function nearest(at) {
    const far = values.map((_, i) => Math.abs(x(i) - at.x));
    return far.indexOf(Math.min(...far));
  }

  chart.onpointerdown = (event) => {
    if (locked() || event.button) return;
    event.preventDefault();
    chart.setPointerCapture(event.pointerId);
    before = place(event);
    picked = nearest(before);
    closest = values.map(() => REACH); // how near the stroke came to each point
    values[picked] = clamp(before.share);
    paint();
  };
  chart.onpointermove = (event) => {
    if (!before) return;
    const now = place(event);
    const set = (i, share) => (values[i] = clamp(share));
    follow(before, now, values.map((_, i) => x(i)), closest, SLACK, set);
    before = now;
    paint();
  };
  chart.onpointerup = chart.onpointercancel = () => (before = undefined);

  // ---------------------------------------------------------------------------------- by keys

  const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -100, End: 100 };

  function key(event, i) {
    const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (side === undefined && !(event.key in STEPS)) return;
    event.preventDefault();
    event.stopPropagation();
    if (side) return points[i + side]?.focus();
    if (locked()) return;
    values[i] = clamp((values[i] ?? values[i - 1] ?? 50) + STEPS[event.key]);
    paint();
  }

  button.onclick = () => {
    tell(values.join("."));
    button.disabled = true;
    told.textContent = data.sent ?? "Computing the true curve …";
  };
  // not in the observer's own turn: the chart that is built changes what it observes
  new ResizeObserver(() => {
    if (data && root.clientWidth && root.clientWidth !== width) requestAnimationFrame(build);
  }).observe(root);

  return (news, teller) => {
    const same = data && JSON.stringify(data) === JSON.stringify(news);
    tell = teller;
    if (same) return;
    data = news;
    if (data.drawn.length) values = [...data.drawn];
    values ??= data.names.map(() => null);
    picked ??= 0;
    if (!legend.firstChild) {
      legend.append("");
      for (const [name, text] of [["yours", "yours"], ["true", "true"]]) {
        legend.append(Object.assign(document.createElement("b"), { className: name, textContent: text }));
      }
    }
    build();
  };
}
