// Marks of promises in use below a slider along a log axis: a touch tells what each promises to
// whom, and where that was read. Every mark is at its own place, above another where it would cover
// that. Close marks share a button; all beyond the axis are one past its end. The name of the row is
// at its left, or below it where a mark is there.

const BESIDE = 64; // px for the mark of those beyond the axis
const APART = 26; // px between the middles of two buttons
const REACH = 14; // px from a mark to the end of its button
const MARK = 7; // px from a mark to the next that does not cover it

function realPromises(row, panel) {
  let laid = "";
  let open;

  function lay(marks, least, most, width, otherUnit) {
    const now = [least, most, width, marks.map((mark) => mark.other)].join();
    if (now === laid) return;
    laid = now;
    tell();
    const along = (mark) => ((Math.log10(mark.at) - least) / (most - least)) * width;
    const groups = grouped(marks.filter((mark) => along(mark) >= 0 && along(mark) <= width), along);
    const past = marks.filter((mark) => along(mark) > width);
    row.replaceChildren(...groups.map((_, i) => here(groups, i, along, otherUnit)));
    row.style.width = `${width}px`;
    if (past.length) row.append(beyond(past, otherUnit));
    row.parentElement.hidden = !groups.length && !past.length;
    // where no room is beside the plot, below the key
    const [{ left }, whole] = [row.getBoundingClientRect(), row.parentElement];
    whole.classList.toggle("narrow", left + width + BESIDE > innerWidth);
    whole.classList.toggle("past", past.length > 0);
    const room = left - whole.getBoundingClientRect().left + (groups[0]?.[0].x ?? width) - REACH;
    whole.classList.toggle("beside", whole.querySelector("small").offsetWidth < room);
  }

  // Groups of marks along the axis, whose middles are apart: the two closest ones become one first.
  function grouped(marks, along) {
    const groups = marks.map((mark) => [{ x: along(mark), mark }]);
    const middle = (group) => (group[0].x + group.at(-1).x) / 2;
    for (;;) {
      const gaps = groups.slice(1).map((group, i) => middle(group) - middle(groups[i]));
      const least = Math.min(...gaps);
      if (!(least < APART)) return groups;
      const i = gaps.indexOf(least);
      groups.splice(i, 2, [...groups[i], ...groups[i + 1]]);
    }
  }

  function here(groups, i, along, otherUnit) {
    const group = groups[i];
    const marks = group.map(({ mark }) => mark);
    const one = button(marks, "", "In use here", otherUnit);
    // as far as half the way to the next marks
    const before = groups[i - 1]?.at(-1).x ?? -Infinity;
    const after = groups[i + 1]?.[0].x ?? Infinity;
    const from = Math.max(group[0].x - REACH, (before + group[0].x) / 2);
    const to = Math.min(group.at(-1).x + REACH, (after + group.at(-1).x) / 2);
    one.style.left = `${from}px`;
    one.style.width = `${to - from}px`;
    const ends = []; // the last mark of each level, from the lowest
    for (const { x } of group) {
      const free = ends.findIndex((end) => x - end >= MARK - 0.5);
      const level = free < 0 ? ends.length : free;
      ends[level] = x;
      const mark = document.createElement("i");
      mark.style.left = `${x - from}px`;
      mark.style.bottom = `${8 + MARK * level}px`;
      one.append(mark);
    }
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
