// Closes the side bar of a phone when another page opens.
const NARROW = 640;

export default function ({ data }) {
  const before = window.dpvizPage;
  window.dpvizPage = data.page;
  if (before === undefined || before === data.page || window.innerWidth > NARROW) return;
  const bar = document.querySelector('[data-testid="stSidebar"][aria-expanded="true"]');
  bar?.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}
