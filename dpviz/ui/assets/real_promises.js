// Marks of promises in use below a slider along a log axis: a touch tells what each promises to
// whom, and where that was read. Marks that would lie on one another are one; those beyond the axis
// are one below its end. A mark with a value of another unit than the chart's has a dashed border.

const APART = 24; // px between the middles of two marks, at least as wide as one

function realPromises(row, beyond, panel) {
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
    const chip = () => button(past, `${past.length} beyond this axis →`, "In use", otherUnit);
    beyond.replaceChildren(...(past.length ? [chip()] : []));
    beyond.style.width = `${width}px`;
    row.parentElement.hidden = !groups.length && !past.length;
  }

  function here({ x, marks }, otherUnit) {
    const triangle = marks[0].other ? "△" : "▲";
    const words = marks.length > 1 ? `${marks.length}` : triangle;
    const one = button(marks, words, "In use here", otherUnit);
    one.style.left = `${x}px`;
    return one;
  }

  function button(marks, words, label, otherUnit) {
    const one = document.createElement("button");
    one.type = "button";
    one.textContent = words;
    one.title = marks.map((mark) => (mark.other ? `${mark.title} (${otherUnit})` : mark.title)).join("; ");
    one.classList.toggle("other", marks.some((mark) => mark.other));
    one.ariaLabel = [label, ...(words.includes(" ") ? [words] : []), one.title].join(": ");
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
