// On a narrow page small charts go on below one another: Plotly is told where each stands. Their
// height is the page's own.

const AGAIN = 60; // ms between looks for a chart that was drawn anew
const watched = new WeakMap();

export default function ({ data, parentElement }) {
  clearInterval(watched.get(parentElement));
  watched.set(parentElement, setInterval(look, AGAIN, data));
  return () => clearInterval(watched.get(parentElement));
}

function look({ chart, places, narrow }) {
  const found = document.querySelector(`.st-key-${chart} .js-plotly-plot`);
  if (!isDrawn(found)) return;
  // some panels need more room side by side than a page with a side bar has
  const isNarrow = window.innerWidth <= narrow || found.clientWidth < (places.room ?? 0);
  const { height, ...wanted } = places[isNarrow ? "narrow" : "wide"];
  const { yaxis, margin, width, height: tall } = layoutOf(found);
  // equal scales are fitted to the size that the chart had then
  const size = `${width} ${tall}`;
  const isResized = (found.dataset.panels ?? size) !== size;
  found.dataset.panels = size;
  // a single panel has the same place on all pages, and another margin
  const now = [...yaxis.domain, margin.r];
  const then = [...wanted["yaxis.domain"], wanted["margin.r"] ?? margin.r];
  if (isResized || now.some((at, i) => Math.abs(at - then[i]) > 1e-6))
    window.Plotly.relayout(found, wanted);
}
