// Buttons that save each chart of a page as a PNG or SVG file.

export default function ({ data, parentElement }) {
  parentElement.querySelector("ul").replaceChildren(...data.charts.map(row));
}

function row(chart) {
  const line = document.createElement("li");
  const words = Object.assign(document.createElement("span"), {
    textContent: chart.words,
    title: chart.words,
  });
  line.append(button(chart, "png"), button(chart, "svg"), words);
  return line;
}

function button(chart, format) {
  const made = Object.assign(document.createElement("button"), {
    type: "button",
    textContent: format.toUpperCase(),
  });
  made.ariaLabel = `${made.textContent}: ${chart.words}`;
  made.onclick = () => saveChart(chart.name, format, JSON.parse(chart.spec), chart.lines);
  return made;
}
