// Marks of promises in use below a slider along a log axis: a touch tells what each promises to
// whom, and where that was read. Marks that would lie on one another are one, with their number;
// those beyond the axis are one past its end. The name of the row is at its left, or below it where
// a mark is there.

const BESIDE = 64; // px for the mark of those beyond the axis
const APART = 32; // px between the middles of two marks, at least as wide as one

function realPromises(row, panel) {
  let laid = "";
  let open;

  function lay(marks, least, most, width, otherUnit) {
    const now = [least, most, width, marks.map((mark) => mark.other)].join();
    if (now === laid) return;
    laid = now;
    tell();
    const [groups, past] = [[], []];
    for (const mark of marks) {
      const x = ((Math.log10(mark.at) - least) / (most - least)) * width;
      const last = groups.at(-1);
      if (x < 0) continue;
      if (x > width) past.push(mark);
      else if (last && x - last.x < APART) last.marks.push(mark);
      else groups.push({ x, marks: [mark] });
    }
    row.replaceChildren(...groups.map((group) => here(group, otherUnit)));
    row.style.width = `${width}px`;
    if (past.length) row.append(beyond(past, otherUnit));
    row.parentElement.hidden = !groups.length && !past.length;
    // where no room is beside the plot, below the key
    const [{ left }, whole] = [row.getBoundingClientRect(), row.parentElement];
    whole.classList.toggle("narrow", left + width + BESIDE > innerWidth);
    whole.classList.toggle("past", past.length > 0);
    const room = left - whole.getBoundingClientRect().left + (groups[0]?.x ?? width) - APART / 2;
    whole.classList.toggle("beside", whole.querySelector("small").offsetWidth < room);
  }

  function here({ x, marks }, otherUnit) {
    const one = button(marks, marks.length > 1 ? `▲×${marks.length}` : "▲", "In use here", otherUnit);
    one.style.left = `${x}px`;
    return one;
  }

  function beyond(marks, otherUnit) {
    const label = `${marks.length} beyond this axis`;
    const one = button(marks, `▲×${marks.length} →`, label, otherUnit);
    one.classList.add("beyond");
    return one;
  }

  function button(marks, words, label, otherUnit) {
    const one = document.createElement("button");
    one.type = "button";
    one.textContent = words;
    one.title = marks.map((mark) => (mark.other ? `${mark.title} (${otherUnit})` : mark.title)).join("; ");
    one.ariaLabel = `${label}: ${one.title}`;
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
