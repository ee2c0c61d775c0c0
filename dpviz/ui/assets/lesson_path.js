// The lessons in their order, with the progress that this browser has stored.

export default function ({ data, parentElement }) {
  const [top, list] = [".dp-lessons > div", "ol"].map((tag) => parentElement.querySelector(tag));
  const draw = () => {
    const kept = progress();
    top.replaceChildren(...onward(kept, data));
    if (kept.last) {
      const forget = node("button", data.words.forget);
      forget.onclick = () => {
        keep();
        draw();
      };
      top.append(forget);
    }
    list.replaceChildren(
      ...data.lessons.map((lesson) => item(lesson, kept.lessons[lesson.key], data.words)),
    );
  };
  draw();
}

// The step at which the visitor stopped, or the first lesson that is not done.
function onward({ last, lessons }, { lessons: path, words }) {
  const lesson = path.find(({ key }) => key === last?.lesson);
  // relative links only: another page of this host could have written what is stored
  if (lesson && !lessons[last.lesson]?.done && /^\.\/[\w-]*\?/.test(last.link)) {
    const title = filled(words.resume, { title: lesson.title, step: last.step + 1 });
    return [link(last.link, title, "button main")];
  }
  const next = path.find(({ key }) => !lessons[key]?.done);
  if (!next) return [];
  const title = filled(next === path[0] ? words.start : words.next, { title: next.title });
  return [link(next.link, title, "button main")];
}

function item(lesson, own, words) {
  const made = node("li");
  made.dataset.lesson = lesson.key;
  const seen = Math.min(own?.seen?.length ?? 0, lesson.steps);
  const far = own?.done ? words.done : seen ? filled(words.seen, { seen, steps: lesson.steps }) : "";
  made.className = own?.done ? "done" : "";
  const { right = 0, asked = 0 } = counted(own);
  const facts = [filled(words.minutes, lesson), filled(words.steps, lesson), far];
  if (asked) facts.push(filled(words.right, { right, asked }));
  made.append(
    link(lesson.link, lesson.title),
    node("p", lesson.gist),
    node("small", facts.filter(Boolean).join(" · ")),
  );
  return made;
}

function counted(own) {
  const marks = Object.values(own?.came ?? {}).map(({ mark }) => mark);
  return { asked: marks.length, right: marks.filter((mark) => mark === "right").length };
}

function filled(words, values) {
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function node(tag, text = "") {
  return Object.assign(document.createElement(tag), { textContent: text });
}

function link(href, text, kind = "") {
  return Object.assign(node("a", text), { href, target: "_self", className: kind });
}
