// A phone in a live class: joins, receives each phase, and sends answers. For a private question with
// a coin it sends the recorded answer only.
(() => {
  const code = location.pathname.slice(1);
  const part = (id) => document.getElementById(id);
  const [stage, note, news, torn] = ["stage", "note", "news", "torn"].map(part);
  const later = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
  const soon = () => later(1 + 2 * Math.random()); // spreads the requests of many phones
  let shown, sending = 0;
  part("code").textContent = code;

  function make(tag, set = {}, ...inside) {
    const made = Object.assign(document.createElement(tag), set);
    made.append(...inside);
    return made;
  }
  const post = (where, said) =>
    fetch(`/${code}/${where}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(said),
    });

  // ------------------------------------------------------------------------- seat and events

  async function join() {
    for (;; await soon()) {
      let answer;
      try {
        answer = await post("seat", {});
      } catch {
        torn.hidden = false;
        continue;
      }
      if (answer.ok) return listen();
      if (answer.status === 404) return show({ phase: "ended" });
      if (answer.status < 500) return calm((await answer.json()).sorry, again("Try again", join));
      torn.hidden = false;
    }
  }

  function listen() {
    const events = new EventSource(`/${code}/events`);
    events.onmessage = (event) => {
      const state = JSON.parse(event.data);
      torn.hidden = true;
      if (["ended", "elsewhere"].includes(state.phase)) events.close();
      show(state);
    };
    events.onerror = async () => {
      torn.hidden = false;
      if (events.readyState !== EventSource.CLOSED) return; // the browser tries again itself
      await soon();
      join();
    };
  }

  async function send(number, value, done = "") {
    const mine = ++sending;
    say("Sending …");
    for (;; await soon()) {
      if (mine !== sending) return;
      try {
        const answer = await post("answer", { number, value });
        if (mine !== sending) return;
        if (answer.ok) return say(done);
        if (answer.status < 500) return say((await answer.json().catch(() => ({}))).sorry ?? GONE);
      } catch {
        // network error: the same answer is sent again
      }
      if (mine === sending) say("Not sent yet. Trying again …");
    }
  }

  // --------------------------------------------------------------------------------- phases

  const GONE = "The live class has ended. Nothing is stored.";
  const IN = "Answer sent. You can change it until the question closes.";
  const PRIVATE_IN = "Answer sent. It cannot be changed.";
  const say = (words) => (note.textContent = words);
  const again = (words, then) => make("button", { type: "button", textContent: words, onclick: then });
  const calm = (words, ...more) => stage.replaceChildren(make("h1", { className: "calm" }, words), ...more);
  const title = (words) => make("h1", {}, words);
  const setup = (words) => (words ? [make("p", { className: "setup" }, words)] : []);

  function show(state) {
    const now = `${state.phase} ${state.number}`;
    if (now === shown) return; // after a lost connection: the view stays
    shown = now;
    sending++;
    say("");
    phases[state.phase](state);
    scrollTo(0, 0);
  }

  const phases = {
    waiting() {
      calm("You have joined. The first question appears here.");
      news.textContent = "You have joined.";
    },
    asked({ number, said, asked }) {
      stage.replaceChildren(...setup(asked.setup), title(asked.text));
      news.textContent = `Question: ${asked.text}`;
      kinds[asked.kind].ask(asked, said, (value, done) => send(number, value, done), number);
    },
    closed({ said, asked }) {
      stage.replaceChildren(title(asked.text));
      const words = said === null ? "The question is closed." : "The question is closed. Your answer was sent.";
      stage.append(make("p", {}, `${words} The results follow.`));
      news.textContent = words;
      if (asked.kind === "curve" && said) draw(asked, { drawn: said, over: true });
    },
    revealed({ said, asked, came }) {
      stage.replaceChildren(title(asked.text));
      for (const words of [came.words, came.then].filter(Boolean))
        stage.append(make("p", { className: "words" }, words));
      kinds[asked.kind].reveal(asked, said, came);
      news.textContent = `Results: ${came.words || counted(came.answered, "answer")}`;
    },
    ended: () => calm(GONE),
    elsewhere: () => calm("This class is open in another tab. Continue there."),
  };

  // ------------------------------------------------------------------------- kinds of question

  // As on the projector: the options of a choice have letters.
  const LETTERS = "ABCDEFGH";
  const letter = (i) => make("b", { className: "letter" }, LETTERS[i]);
  const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

  function buttons(options, chosen, choose, lettered = false) {
    const all = options.map((words, i) => {
      const one = again(words, () => choose(i, mark));
      if (lettered) one.prepend(letter(i), " ");
      one.setAttribute("aria-pressed", i === chosen);
      return one;
    });
    const mark = (i) => all.forEach((one, k) => one.setAttribute("aria-pressed", k === i));
    stage.append(make("div", { className: "options", role: "group" }, ...all));
    return all;
  }

  function bars(options, tally, answered, said, right) {
    const rows = options.map((words, i) => {
      const bar = make("b");
      bar.style.width = `${answered ? (100 * tally[i]) / answered : 0}%`;
      const notes = [i === said && "your answer", i === right && "right"].filter(Boolean).join(", ");
      return make(
        "li",
        { className: i === right ? "right" : "" },
        make("span", {}, make("span", {}, letter(i), " ", words), make("em", {}, `${tally[i]} of ${answered}`)),
        make("i", { ariaHidden: "true" }, bar),
        ...(notes ? [make("strong", {}, notes)] : []),
      );
    });
    stage.append(make("ul", { className: "came" }, ...rows));
  }

  const choice = {
    ask(asked, said, tell) {
      if (said !== null) say(IN);
      buttons(asked.options, said, (i, mark) => {
        mark(i);
        tell(i, IN);
      }, true);
    },
    reveal: (asked, said, came) => bars(asked.options, came.tally, came.answered, said, came.right),
  };

  const race = {
    ask({ epsilons }, said, tell) {
      if (said !== null) say(IN);
      buttons(epsilons.map(epsilon), said, (i, mark) => {
        mark(i);
        tell(i, IN);
      });
    },
    reveal({ epsilons }, said, { tally, truth, public: alone, answered }) {
      if (!truth.length) return bars(epsilons.map(epsilon), tally, answered, said, null);
      const [accuracies, guesses] = [0, 3].map((k) => truth.map((point) => point[k]));
      const accuracy = (percent) => `${Math.round(percent)}%`;
      if (said !== null) {
        const results =
          `accuracy ${accuracy(accuracies[said])}. An attacker's guess about a patient's image` +
          ` is right at most ${guesses[said]}% of the time (chance 50%).`;
        const own = make("p", { className: "own" }, `Your hospital, ${epsilon(epsilons[said])}: ${results}`);
        stage.querySelector("h1").after(own);
      }
      const cells = (tag, words) => words.map((word) => make(tag, {}, word));
      const rows = epsilons.map((value, i) => {
        const name = i === said ? `${value} (yours)` : `${value}`;
        const more = cells("td", [accuracy(accuracies[i]), `${guesses[i]}%`, `${tally[i]}`]);
        return make("tr", { className: i === said ? "own" : "" }, make("th", { scope: "row" }, name), ...more);
      });
      if (alone !== null) {
        const more = cells("td", [accuracy(alone), "50%", "–"]);
        rows.push(make("tr", {}, make("th", { scope: "row" }, "Public images alone"), ...more));
      }
      const heads = cells("th", ["ε", "Accuracy", "Best guess", "Hospitals"]);
      heads.forEach((head) => (head.scope = "col"));
      stage.append(make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)));
    },
  };
  const epsilon = (value) => `ε\u00a0=\u00a0${value}`;

  const shortly = (value) => String(Number(value.toPrecision(6)));

  // no space before a percent sign, none at all without a unit
  const measured = (value, unit) =>
    `${shortly(Number(value))}${unit && unit !== "%" ? "\u00a0" : ""}${unit}`;

  const number = {
    ask(asked, said, tell) {
      const { least, most, step, unit } = asked;
      const with_ = (value) => measured(value, unit);
      const hand = make("input", { type: "range", min: least, max: most, step, ariaLabel: asked.text });
      hand.value = said ?? (least + most) / 2;
      const told = make("output", {}, with_(hand.value));
      hand.oninput = () => {
        told.textContent = with_(hand.value);
        hand.ariaValueText = told.textContent;
      };
      const ends = make("p", { className: "ends" }, ...[least, most].map((end) => make("span", {}, with_(end))));
      const go = again("Send", () => tell(Number(hand.value), IN));
      stage.append(make("div", { className: "number" }, told, hand, ends, go));
      if (said !== null) say(IN);
    },
    reveal({ least, most, step, unit }, said, { numbers, right }) {
      if (!numbers.length) return;
      const index = (value) => Math.round((value - least) / step);
      const wide = Math.ceil((index(most) + 1) / 21); // steps of a column, as many in each
      const place = (value) => Math.floor(index(value) / wide);
      const counts = Array(place(most) + 1).fill(0);
      for (const value of numbers) counts[place(value)]++;
      const columns = counts.map((count, i) => {
        const bar = make("b", { className: said !== null && i === place(said) ? "own" : "" });
        bar.style.height = `${(100 * count) / Math.max(...counts)}%`;
        return bar;
      });
      const ends = [least, most].map((end) => make("span", {}, measured(end, unit)));
      const middle = numbers[Math.floor((numbers.length - 1) / 2)];
      const words = [`Median of ${counted(numbers.length, "answer")}: ${measured(middle, unit)}`];
      if (said !== null) words.push(`yours: ${measured(said, unit)}`);
      if (right !== null) words.push(`true value: ${measured(right, unit)}`);
      stage.append(
        make("div", { className: "bars", ariaHidden: "true" }, ...columns),
        make("p", { className: "ends" }, ...ends),
        make("p", {}, `${words.join("; ")}.`),
      );
    },
  };

  function draw(asked, more, tell = () => {}) {
    const chart = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    chart.setAttribute("role", "group");
    const go = make("button", { type: "button", textContent: "Send my curve" });
    const row = make("div", {}, go, make("output"));
    stage.append(make("div", { className: "dp-draw" }, make("p"), chart, row));
    const data = { ...asked, drawn: [], truth: [], over: false, sent: "", ...more };
    drawCurve({ data, parentElement: stage, setTriggerValue: (_, said) => tell(said) });
  }

  const curve = {
    ask(asked, said, tell) {
      if (said) say(IN);
      draw(asked, { drawn: said ?? [] }, (drawn) => tell(drawn.split(".").map(Number), IN));
    },
    reveal(asked, said, { curves, truth, answered }) {
      draw(asked, { drawn: said ?? [], truth, others: curves, over: true });
      const own = said ? " Dashed line: yours." : "";
      const lines = answered ? `Thin lines: ${counted(answered, "curve")} of this class.` : "Nobody drew a curve.";
      stage.append(make("p", {}, `${lines}${own}`));
    },
  };

  function asksPrivately(before, recorded, kept = () => null) {
    return (asked, said, tell, number) => {
      stage.append(make("p", {}, before(asked)));
      const all = buttons(["Yes", "No"], null, (i, mark) => {
        mark(i);
        lock();
        tell(recorded(asked, i ? "no" : "yes", number), PRIVATE_IN);
      });
      const lock = () => all.forEach((one) => (one.disabled = true));
      if (said !== null) {
        lock();
        say(PRIVATE_IN);
      } else if (kept(number)) {
        lock();
        tell(kept(number), PRIVATE_IN);
      }
    };
  }

  // The recorded answer, for a reloaded page or another tab: a second coin would cost more privacy.
  // The own answer is not stored.
  const place = (number) => `recorded ${code} ${number}`;
  function kept(number) {
    try {
      return localStorage.getItem(place(number));
    } catch {
      return null;
    }
  }
  function keep(number, said) {
    try {
      for (const one of Object.keys(localStorage))
        if (one.startsWith("recorded ")) localStorage.removeItem(one); // of earlier questions
      localStorage.setItem(place(number), said);
    } catch {
      // no storage
    }
  }

  const share = (of) => Number(of.toPrecision(3));
  const coin = {
    ask: asksPrivately(
      ({ honesty }) =>
        `This phone flips a coin: it sends your own answer in ${share(honesty)}% of cases and a` +
        " random answer otherwise. Your own answer never leaves the phone.",
      (asked, own, number) => {
        if (kept(number)) return kept(number); // from another tab
        const { through, said } = coinFalls(own, asked.threshold);
        keep(number, said);
        const stays = `Your answer “${own}”. Sent: ${through ? "your answer" : "a random answer"}.`;
        const row = (name, words, kind) =>
          make("div", {}, make("dt", {}, name), make("dd", { className: kind }, words));
        const leaves = row("Leaves your phone", `“${said}”`, "leaves");
        stage.append(
          make("div", { className: "dp-coin" }, make("dl", {}, row("Stays with you", stays, "stays"), leaves)),
        );
        return said;
      },
      kept,
    ),
    reveal: () => {},
  };

  const server = {
    ask: asksPrivately(
      () =>
        "Your true answer goes to the teacher's computer without encryption. The computer publishes" +
        " one count with noise and then deletes the answers.",
      (asked, own) => own,
    ),
    reveal: () => {},
  };

  const kinds = { choice, number, curve, race, coin, server };
  join();
})();
