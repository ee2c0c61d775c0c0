// On a narrow page the names beside a chart's lines stand below it, with the numbers that follow
// the hand there, and the plot has the room: the ways that lead from lines to names are hidden, since
// they would look like measured points.

const NARROW = 640; // px
const MARGIN = 14; // px beside a plot without names
const AGAIN = 60; // ms between looks for a chart that was drawn anew
const MOVING = 4; // traces that follow the hand; the names are the last of them
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
  let key, chart, below;
  const watch = new MutationObserver(tell);

  function tell() {
    const words = [...chart.querySelectorAll(".scatterlayer > .trace:last-child .textpoint")];
    const traces = [...chart.querySelectorAll(".scatterlayer > .trace")];
    if (traces.length < words.length + MOVING) return; // Plotly is still drawing
    const ways = traces.slice(-MOVING - words.length, -MOVING);
    ways.forEach(({ style }) => (style.display = below ? "none" : ""));
    if (!below) return;
    if (list.children.length !== words.length) list.replaceChildren(...ways.map(row));
    words.forEach(({ textContent }, i) => {
      const said = list.children[i].lastChild;
      if (said.textContent !== textContent.trim()) said.textContent = textContent.trim();
    });
  }

  function row(way) {
    const line = document.createElement("li");
    line.append(sample(way), document.createElement("span"));
    return line;
  }

  function look() {
    const found = document.querySelector(`.st-key-${key} .js-plotly-plot`);
    if (!found?._fullLayout?.xaxis?._length || !found.layout?.meta?.named) return;
    below = found.clientWidth < NARROW;
    const beside = below ? MARGIN : found.layout.meta.room;
    if (found !== chart) list.replaceChildren();
    chart = found;
    chart.dataset.names = below ? "below" : "beside";
    if (chart._fullLayout.margin.r !== beside) window.Plotly?.relayout(chart, "margin.r", beside);
    watch.disconnect();
    if (below) watch.observe(chart, { subtree: true, childList: true, characterData: true });
    else list.replaceChildren();
    tell();
  }

  const looking = setInterval(look, AGAIN);
  return {
    of: (name) => (key = name),
    end() {
      clearInterval(looking);
      watch.disconnect();
    },
  };
}

// A piece of the line with its mark, as Plotly has drawn them.
function sample(trace) {
  const make = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);
  const [svg, line] = [make("svg"), make("path")];
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", "M1,8H35");
  line.style.cssText = trace.querySelector(".js-line")?.style.cssText ?? "";
  const mark = [...trace.querySelectorAll(".points path")].at(-1)?.cloneNode();
  mark?.setAttribute("transform", "translate(18,8)");
  svg.append(line, ...(mark ? [mark] : []));
  return svg;
}
