// How far somebody is in the lessons, and what came of their predictions: in this browser alone.

const PLACE = "dpviz:lessons";

function progress() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE));
    if (kept && typeof kept.lessons === "object" && kept.lessons) return kept;
  } catch {
    // no storage here, or not ours: as if nothing was done
  }
  return { lessons: {} };
}

function keep(news) {
  try {
    if (news) localStorage.setItem(PLACE, JSON.stringify(news));
    else localStorage.removeItem(PLACE);
  } catch {
    // no storage here: nothing is kept
  }
}
