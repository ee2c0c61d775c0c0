// Esc leaves a presentation, unless something on the page has used it for itself.

export default function ({ setTriggerValue }) {
  const leave = (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) setTriggerValue("leave", true);
  };
  document.addEventListener("keydown", leave);
  return () => document.removeEventListener("keydown", leave);
}
