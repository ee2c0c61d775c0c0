// Closes the side bar of a phone when another page opens, and gives each change of the settings an
// entry in the browser's history, so that Back and Forward step through them.
const NARROW = 640; // px
const PAUSE = 600; // ms without a change that begins a new entry
const RETURN = 3000; // ms in which the page settles after Back or Forward

export default function ({ data }) {
  const before = window.dpvizPage;
  window.dpvizPage = data.page;
  if (before === undefined) keepHistory();
  if (before === undefined || before === data.page || window.innerWidth > NARROW) return;
  const bar = document.querySelector('[data-testid="stSidebar"][aria-expanded="true"]');
  bar?.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}

function keepHistory() {
  const replace = history.replaceState.bind(history);
  let returned = -RETURN;
  let changed = -PAUSE;
  window.addEventListener("popstate", () => (returned = performance.now()), true);
  history.replaceState = (state, title, address) => {
    const to = new URL(address ?? location.href, location.href);
    const now = performance.now();
    const same = to.pathname === location.pathname && to.search !== location.search;
    const isNew = same && now - returned > RETURN && now - changed > PAUSE;
    if (same) changed = now;
    if (isNew) history.pushState(state, title, address);
    else replace(state, title, address);
  };
}
