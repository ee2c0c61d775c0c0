// A room's page shows its stage from the top when the room comes to a new phase: who asks a question
// stands further down, and the class looks at the screen.

export default function ({ data }) {
  const whole = document.documentElement;
  const before = whole.dataset.room;
  whole.dataset.room = data.now;
  if (before === undefined || before === data.now) return;
  const heading = document.querySelector('.stMainBlockContainer [data-testid="stHeading"]');
  if (!heading) return;
  heading.style.scrollMarginTop = "4rem"; // clear of the navigation above
  heading.scrollIntoView();
}
