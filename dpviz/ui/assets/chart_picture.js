// A chart as a PNG or SVG file, drawn by the Plotly of the page, with lines of text below it.

const LINE_HEIGHT = 14; // px
const HALO = { "paint-order": "stroke", stroke: "white", "stroke-width": 4, "stroke-linejoin": "round" };
const SVG_NAMES = "http://www.w3.org/2000/svg";

// figure: data and layout with width and height; lines: the source, below the chart.
async function saveChart(name, format, figure, lines) {
  const picture = await chartAsSvg(figure, lines);
  const file = format === "svg" ? svgFile(picture) : await pngFile(picture);
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href, download: `${name}.${format}` }).click();
  URL.revokeObjectURL(href);
}

async function chartAsSvg(figure, lines) {
  const { width, height } = figure.layout;
  const address = await window.Plotly.toImage(figure, { format: "svg", width, height });
  const text = decodeURIComponent(address.slice(address.indexOf(",") + 1));
  const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const sizes = { width, height: height + LINE_HEIGHT * (lines.length + 1) };
  for (const [name, value] of Object.entries(sizes)) picture.setAttribute(name, value);
  for (const words of picture.querySelectorAll(".textpoint text"))
    for (const [name, value] of Object.entries(HALO)) words.style.setProperty(name, value);
  picture.setAttribute("viewBox", `0 0 ${sizes.width} ${sizes.height}`);
  picture.prepend(svgPart("rect", { ...sizes, fill: "white" }));
  const look = { x: 8, "font-size": 10, "font-family": "sans-serif", fill: "#5b6270" };
  lines.forEach((line, i) =>
    picture.append(svgPart("text", { ...look, y: height + LINE_HEIGHT * (i + 1) }, line)),
  );
  return picture;
}

function svgPart(name, attributes, text = "") {
  const made = document.createElementNS(SVG_NAMES, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function svgFile(picture) {
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
}

async function pngFile(picture) {
  const image = new Image();
  image.src = URL.createObjectURL(svgFile(picture));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = ["width", "height"].map((side) => 2 * picture.getAttribute(side));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => canvas.toBlob(done));
}
