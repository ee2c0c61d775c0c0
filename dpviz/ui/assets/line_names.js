// On a narrow page the names beside a chart's lines are above it, without intervals, and the plot
// has the room. The numbers at the budget follow the names, clear of all lines. Names of the lower of
// two panels are below the chart.

const NARROW = 640; // px
const MARGIN = 14; // px beside a plot without names
const AGAIN = 60; // ms between looks for a chart that was drawn anew
const lists = new WeakMap();

export default function ({ data, parentElement }) {
  if (!lists.has(parentElement)) lists.set(parentElement, begin(parentElement));
  const list = lists.get(parentElement);
  list.of(data.chart);
  return () => {
    list.end();
    lists.delete(parentElement);
  };
}

function begin(parent) {
  const list = parent.querySelector(".dp-names");
  const own = list.closest('[class*="st-key-names-"]');
  let key, chart;
  const heard = new WeakSet(); // charts with listeners
  const watch = new MutationObserver(tell);

  // Plotly draws nothing of a trace without points.
  function trace(at) {
    const uid = traceOf(chart, at)?.uid;
    return uid ? chart.querySelector(`.trace${uid}`) : null;
  }
  const namesTrace = () => trace(-chart.layout.meta.moving - 1); // before what follows the hand
  const wordsOf = (drawn) =>
    [...(drawn?.querySelectorAll(".textpoint") ?? [])].map((one) => one.textContent);
  const words = () => wordsOf(namesTrace());

  function tell() {
    if (!hasTraces(chart)) return; // taken down; the next look finds the one that follows
    const names = words();
    if (list.children.length !== names.length)
      list.replaceChildren(...names.map((_, i) => row(trace(chart.layout.meta.lines[i]))));
    const { numbers } = chart.layout.meta;
    const read = numbers ? wordsOf(trace(-1)) : [];
    names.forEach((name, i) => {
      const [, said, number] = list.children[i].children;
      const told = name.replace(/\s+/g, " ").replace(/ \(\d+–\d+\)$/, "").trim();
      if (said.textContent !== told) said.textContent = told;
      const here = (read[numbers?.[i]] ?? "").trim();
      if (number.textContent !== here) number.textContent = here;
    });
  }

  function row(drawn) {
    const line = document.createElement("li");
    line.append(sample(drawn), document.createElement("span"), document.createElement("b"));
    return line;
  }

  function hide(below) {
    const ways = [...chart.querySelectorAll(".shapelayer [data-index]")]
      .filter((one) => one.dataset.index < 2 * chart.layout.meta.lines.length);
    const moved = chart.layout.meta.numbers ? [trace(-1), trace(-chart.layout.meta.moving)] : [];
    for (const one of [namesTrace(), ...ways, ...moved]) if (one) one.style.display = below ? "none" : "";
  }

  // Bands overlap, so all are faint but that of the line under the pointer. A band is the trace
  // before its line.
  function emphasize(at) {
    const paths = chart.querySelectorAll(".fills .js-fill");
    const own = at > 0 && chart.data[at - 1].fill ? trace(at - 1) : null;
    for (const one of paths) one.toggleAttribute("data-on", Boolean(own?.contains(one)));
  }

  function listen() {
    if (heard.has(chart)) return;
    heard.add(chart);
    chart.on("plotly_hover", ({ points }) => emphasize(points[0].curveNumber));
    chart.on("plotly_unhover", () => emphasize(-1));
  }

  // A selector that looks for the names from above is tried anew for every mark that moves.
  function around(below) {
    const picture = own?.closest(".st-key-picture");
    for (let one = own?.parentElement; picture && one !== picture; one = one.parentElement)
      one.toggleAttribute("data-around-names", below);
  }

  function look() {
    const found = document.querySelector(`.st-key-${key} .js-plotly-plot`);
    if (!isDrawn(found) || !found.layout?.meta?.named) return;
    const below = found.clientWidth < NARROW;
    const beside = below ? MARGIN : found.layout.meta.room;
    if (found !== chart) list.replaceChildren();
    chart = found;
    listen();
    chart.dataset.names = below ? "below" : "beside";
    if (layoutOf(chart).margin.r !== beside) window.Plotly.relayout(chart, "margin.r", beside);
    hide(below);
    around(below);
    own?.toggleAttribute("data-lower-panel", found.layout.meta.part < 1);
    watch.disconnect();
    if (!below) return list.replaceChildren();
    watch.observe(chart, { subtree: true, childList: true, characterData: true });
    tell();
  }

  const looking = setInterval(look, AGAIN);
  return {
    of: (name) => (key = name),
    end() {
      clearInterval(looking);
      watch.disconnect();
      around(false);
    },
  };
}

// A piece of the line with its usual mark, as Plotly has drawn them.
function sample(drawn) {
  const make = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);
  const [svg, line] = [make("svg"), make("path")];
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("viewBox", "6 0 24 16");
  line.setAttribute("d", "M6,8H30");
  line.style.cssText = drawn?.querySelector(".js-line")?.style.cssText ?? "";
  const marks = [...(drawn?.querySelectorAll(".points path") ?? [])];
  const alike = (one) => marks.filter((other) => other.getAttribute("d") === one.getAttribute("d"));
  const usual = marks.find((one) => alike(one).length > marks.length / 2);
  const mark = (usual ?? marks.at(-1))?.cloneNode();
  mark?.setAttribute("transform", "translate(18,8)");
  svg.append(line, ...(mark ? [mark] : []));
  return svg;
}
