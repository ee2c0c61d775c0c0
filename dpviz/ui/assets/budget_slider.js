// The slider beside the budget's box. The box holds the value: this shows what the server says, and
// sends where it is moved to. While it has the focus, it stays where it was moved until the server
// says the same.

const sent = new WeakMap(); // by slider: the budget that waits for its answer

export default function ({ data, setTriggerValue, parentElement }) {
  const [range, value] = ["input", "output"].map((tag) => parentElement.querySelector(tag));
  const show = () => {
    value.textContent = data.names[range.value];
    range.setAttribute("aria-valuetext", value.textContent);
    range.parentElement.style.setProperty("--place", range.value / range.max);
  };
  range.ariaLabel = data.label;
  range.max = data.stops.length - 1;
  if (sent.get(range) === data.now || document.activeElement !== range) sent.delete(range);
  range.value = data.stops.indexOf(sent.get(range) ?? data.now);
  parentElement.querySelectorAll("span").forEach((end, i) => (end.textContent = data.names.at(-i)));
  show();
  range.oninput = show;
  range.onchange = () => {
    sent.set(range, data.stops[range.value]);
    setTriggerValue("budget", data.stops[range.value]);
  };
}
