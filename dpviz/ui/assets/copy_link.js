// The page's address as the browser knows it, to pass on.

const WAIT = 2000; // ms until the button says its name again

export default function ({ parentElement }) {
  const field = parentElement.querySelector("input");
  const button = parentElement.querySelector("button");
  const address = () => (field.value = location.href);
  address();
  field.onfocus = () => (address(), field.select());
  button.onclick = async () => {
    field.focus();
    let done = true;
    try {
      await navigator.clipboard.writeText(address());
    } catch {
      done = document.execCommand("copy"); // without https a browser has no clipboard
    }
    button.textContent = done ? "Copied" : "Copy it from here →";
    setTimeout(() => (button.textContent = "Copy link"), WAIT);
  };
}
