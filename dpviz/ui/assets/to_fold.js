// Brings a fold into view once it is there, when a button elsewhere has opened it.

export default function ({ data }) {
  const begun = Date.now();
  const looking = setInterval(() => {
    const fold = document.querySelector(`.st-key-${data.key}`);
    if (fold?.querySelector("details[open]")) fold.scrollIntoView({ block: "start" });
    if (fold?.getBoundingClientRect().top < innerHeight / 2 || Date.now() - begun > 5000)
      clearInterval(looking);
  }, 100);
  return () => clearInterval(looking);
}
