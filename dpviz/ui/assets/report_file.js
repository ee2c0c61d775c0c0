// The report as a file: Plotly, which drew the page's charts, adds each one as a picture.

const WAIT = 4000; // ms until the button has its label again

export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  button.onclick = async () => {
    let page = data.page;
    for (const { spec, width, height, mark } of data.charts) {
      const address = await window.Plotly.toImage(JSON.parse(spec), { format: "svg", width, height });
      const picture = decodeURIComponent(address.slice(address.indexOf(",") + 1));
      page = page.replace(mark, () => picture);
    }
    const href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    Object.assign(document.createElement("a"), { href, download: data.name }).click();
    URL.revokeObjectURL(href);
    button.textContent = `Saved as ${data.name}`;
    setTimeout(() => (button.textContent = data.label), WAIT);
  };
}
