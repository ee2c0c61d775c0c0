// Marks of promises in use below a slider along a log axis: a touch tells what each promises to
// whom, and where that was read. Marks that would lie on one another are one, and so are those
// beyond the axis, at its end.

const APART = 24; // px between the middles of two marks, at least as wide as one
const BEYOND = 12; // px from the axis's end to the mark of what lies beyond

function realPromises(row, panel) {
  let laid = "";
  let open;

  function lay(marks, least, most, width) {
    const now = [least, most, width, marks.length].join();
    if (now === laid) return;
    laid = now;
    tell();
    const groups = [];
    for (const mark of marks) {
      const place = ((Math.log10(mark.at) - least) / (most - least)) * width;
      if (place < 0) continue;
      const beyond = place > width;
      const x = beyond ? width + BEYOND : place;
      const last = groups.at(-1);
      if (last && (last.beyond || x - last.x < APART)) last.marks.push(mark);
      else groups.push({ x, beyond, marks: [mark] });
    }
    row.replaceChildren(...groups.map(button));
    row.parentElement.hidden = !groups.length;
  }

  function button({ x, beyond, marks }) {
    const one = document.createElement("button");
    one.type = "button";
    one.style.left = `${x}px`;
    one.textContent = `${marks.length > 1 ? marks.length : "▲"}${beyond ? "→" : ""}`;
    one.title = marks.map((mark) => mark.title).join("; ");
    one.ariaLabel = `In use ${beyond ? "beyond" : "here"}: ${one.title}`;
    one.ariaExpanded = "false";
    one.onclick = () => tell(open === one ? undefined : one, marks);
    one.onkeydown = (event) => {
      if (event.key !== "Escape" || open !== one) return;
      event.preventDefault();
      tell();
    };
    return one;
  }

  function tell(one, marks = []) {
    if (open) open.ariaExpanded = "false";
    open = one;
    if (open) open.ariaExpanded = "true";
    panel.querySelector("div").replaceChildren(...marks.map(told));
    panel.hidden = !marks.length;
  }

  function told({ title, rows, source, address }) {
    const list = document.createElement("dl");
    const head = document.createElement("strong");
    head.textContent = title;
    const link = Object.assign(document.createElement("a"), {
      href: address,
      textContent: source,
      target: "_blank",
      rel: "noreferrer",
    });
    for (const [term, text] of [...rows, ["source", link]]) {
      const name = document.createElement("dt");
      const said = document.createElement("dd");
      name.textContent = term;
      said.append(text);
      list.append(name, said);
    }
    const whole = document.createElement("section");
    whole.append(head, list);
    return whole;
  }

  return { lay };
}
