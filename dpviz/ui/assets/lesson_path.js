// The lessons in their order, with what this browser knows to be done.

export default function ({ data, parentElement }) {
  const [top, list] = [".dp-lessons > div", "ol"].map((tag) => parentElement.querySelector(tag));
  const draw = () => {
    const kept = progress();
    top.replaceChildren();
    if (kept.last) {
      const on = onward(kept, data.lessons);
      if (on) top.append(on);
      const forget = node("button", "Forget my progress");
      forget.onclick = () => {
        keep();
        draw();
      };
      top.append(forget);
    }
    list.replaceChildren(...data.lessons.map((lesson) => item(lesson, kept.lessons[lesson.key])));
  };
  draw();
}

// The step where somebody was, or the first lesson that is not done yet.
function onward({ last, lessons }, path) {
  const lesson = path.find(({ key }) => key === last.lesson);
  // only a way inside: what is kept here could have been written by another page of this host
  if (lesson && !lessons[last.lesson]?.done && /^\.\/[\w-]*\?/.test(last.link)) {
    const words = `Continue where you were: ${lesson.title}, step ${last.step + 1} →`;
    return link(last.link, words, "button");
  }
  const next = path.find(({ key }) => !lessons[key]?.done);
  return next && link(next.link, `Go on with: ${next.title} →`, "button");
}

function item(lesson, own) {
  const made = node("li");
  made.dataset.lesson = lesson.key;
  const seen = Math.min(own?.seen?.length ?? 0, lesson.steps);
  const far = own?.done ? "✓ done" : seen ? `${seen} of ${lesson.steps} steps` : "";
  made.className = own?.done ? "done" : "";
  const { right = 0, asked = 0 } = counted(own);
  const facts = [`about ${lesson.minutes} min`, `${lesson.steps} steps`, far];
  if (asked) facts.push(`${right} of ${asked} predictions right`);
  const gist = node("p", lesson.gist);
  made.append(
    link(lesson.link, lesson.title),
    gist,
    node("small", facts.filter(Boolean).join(" · ")),
  );
  return made;
}

function counted(own) {
  const marks = Object.values(own?.came ?? {}).map(({ mark }) => mark);
  return { asked: marks.length, right: marks.filter((mark) => mark === "right").length };
}

function node(tag, text = "") {
  return Object.assign(document.createElement(tag), { textContent: text });
}

function link(href, text, kind = "") {
  return Object.assign(node("a", text), { href, target: "_self", className: kind });
}
