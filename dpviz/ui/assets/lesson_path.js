// The lessons in their order, with what this browser knows to be done. What a lesson says would
// answer the twelve questions: it is told once they have been answered, or declined.

const FIRST =
  "They show you afterwards what the lessons taught you. Until then this list keeps what comes out " +
  "of each lesson to itself.";

export default function ({ data, parentElement }) {
  const [first, top, list] = ["section", ".dp-lessons > div", "ol"].map((tag) =>
    parentElement.querySelector(tag),
  );
  const draw = () => {
    const kept = progress();
    const asked = answered() >= data.asked;
    const open = asked || kept.declined || Object.values(kept.lessons).some(({ done }) => done);
    const decline = () => {
      keep({ ...kept, declined: true });
      draw();
    };
    first.replaceChildren(...(open ? [again(data, asked)] : invitation(data, decline)));
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
    list.replaceChildren(...data.lessons.map((lesson) => item(lesson, kept.lessons[lesson.key], open)));
  };
  draw();
}

// How many of the questions were answered before the lessons.
function answered() {
  try {
    return JSON.parse(localStorage.getItem("dpviz.questions")).before.length;
  } catch {
    return 0; // nothing is kept, or something that is not ours
  }
}

function invitation(data, decline) {
  const head = node("p");
  head.append(node("b", `First, ${data.asked} questions, about ten minutes. `), FIRST);
  const without = node("button", "Without the questions: show what each says");
  without.onclick = decline;
  const ways = node("div");
  ways.append(link(data.questions, "To the questions →", "button"), without);
  return [head, ways];
}

function again(data, asked) {
  const words = asked ? "After the last lesson: the questions again →" : "Twelve questions →";
  return link(data.questions, words, "button");
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

function item(lesson, own, open) {
  const made = node("li");
  made.dataset.lesson = lesson.key;
  const seen = Math.min(own?.seen?.length ?? 0, lesson.steps);
  const far = own?.done ? "✓ done" : seen ? `${seen} of ${lesson.steps} steps` : "";
  made.className = own?.done ? "done" : "";
  const { right = 0, asked = 0 } = counted(own);
  const facts = [`about ${lesson.minutes} min`, `${lesson.steps} steps`, far];
  if (asked) facts.push(`${right} of ${asked} predictions right`);
  made.append(
    link(lesson.link, lesson.title),
    node("p", open ? lesson.gist : ""),
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
