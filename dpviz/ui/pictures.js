// A chart as a PNG or SVG file, drawn anew by the Plotly that drew the page's charts.

export default function ({ data, parentElement }) {
  parentElement.querySelector("ul").replaceChildren(...data.charts.map(row));
}

function row(chart) {
  const line = document.createElement("li");
  const words = Object.assign(document.createElement("span"), { textContent: chart.words, title: chart.words });
  line.append(button(chart, "png"), button(chart, "svg"), words);
  return line;
}

function button(chart, format) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: format.toUpperCase() });
  made.ariaLabel = `${made.textContent}: ${chart.words}`;
  made.onclick = () => save(chart, format);
  return made;
}

async function save({ name, spec }, format) {
  const figure = JSON.parse(spec);
  const { width, height } = figure.layout;
  const href = await window.Plotly.toImage(figure, { format, width, height, scale: format === "png" ? 2 : 1 });
  Object.assign(document.createElement("a"), { href, download: `${name}.${format}` }).click();
}
