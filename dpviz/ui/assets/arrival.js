// Closes the side bar of a phone when another page opens, brings the page's tab into view, and gives
// each change of the settings an entry in the browser's history, for Back and Forward.
const NARROW = 640; // px
const MARGIN = 120; // px to the left of the open tab
const LAYOUT = 3000; // ms in which the tabs of a page find their place
const PAUSE = 600; // ms without a change that begins a new entry
const RETURN = 3000; // ms in which the page settles after Back or Forward

export default function ({ data }) {
  const before = window.dpvizPage;
  window.dpvizPage = data.page;
  if (before === undefined) keepHistory();
  if (before === data.page || window.innerWidth > NARROW) return;
  if (data.page) bringTab(data.page);
  if (before === undefined) return;
  const bar = document.querySelector('[data-testid="stSidebar"][data-collapsed="false"]');
  bar?.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}

// Repeated while the page is laid out: its styles and tabs may come later than this script.
function bringTab(name) {
  const begun = performance.now();
  const look = () => {
    const tab = document.querySelector(`.st-key-pages a[href*="${name}"]`);
    if (tab) tab.closest(".st-key-pages").scrollLeft += tab.getBoundingClientRect().left - MARGIN;
    if (performance.now() - begun > LAYOUT) end();
  };
  const end = () => {
    clearInterval(looking);
    removeEventListener("pointerdown", end, true);
  };
  const looking = setInterval(look, LAYOUT / 30);
  addEventListener("pointerdown", end, true); // a finger decides what is in view
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
