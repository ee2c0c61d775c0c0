// A chart as a PNG or SVG file, drawn anew by the Plotly that drew the page's charts, with lines of
// text below it.

const LINE = 14; // px
const NAMES = "http://www.w3.org/2000/svg";

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
  made.onclick = async () => {
    const picture = await drawn(chart);
    const href = URL.createObjectURL(format === "svg" ? asFile(picture) : await asPixels(picture));
    Object.assign(document.createElement("a"), {
      href,
      download: `${chart.name}.${format}`,
    }).click();
    URL.revokeObjectURL(href);
  };
  return made;
}

async function drawn({ spec, lines }) {
  const figure = JSON.parse(spec);
  const { width, height } = figure.layout;
  const address = await window.Plotly.toImage(figure, { format: "svg", width, height });
  const text = decodeURIComponent(address.slice(address.indexOf(",") + 1));
  const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const whole = height + LINE * (lines.length + 1);
  const sizes = { width, height: whole };
  for (const [name, value] of Object.entries(sizes)) picture.setAttribute(name, value);
  picture.setAttribute("viewBox", `0 0 ${width} ${whole}`);
  picture.prepend(part("rect", { ...sizes, fill: "white" }));
  const look = { x: 8, "font-size": 10, "font-family": "sans-serif", fill: "#5b6270" };
  lines.forEach((line, i) =>
    picture.append(part("text", { ...look, y: height + LINE * (i + 1) }, line)),
  );
  return picture;
}

function part(name, attributes, text = "") {
  const made = document.createElementNS(NAMES, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function asFile(picture) {
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
}

async function asPixels(picture) {
  const image = new Image();
  image.src = URL.createObjectURL(asFile(picture));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = ["width", "height"].map((side) => 2 * picture.getAttribute(side));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => canvas.toBlob(done));
}
