// The cursor of a drawn chart: by pointer, touch and arrow keys, with what it says beside it and for screen readers.

import { html } from "../app/dom.js";

/** How many points the keys of larger steps move. */
const largeStep = 10;

/**
 * A place around `picture`, whose points are read one by one. `places` answers the horizontal place of each point as
 * shares of the width, `text(index)` what stands there, and `onmove(index)` draws the mark; `index` is -1 when the
 * cursor leaves.
 */
export function addCursor(picture, { label, count, places, text, onmove = () => {} }) {
  const bubble = html("div.bubble", { "aria-hidden": "true", hidden: true });
  const element = html("div.cursored", { role: "slider", tabindex: "0", "aria-label": label }, picture, bubble);
  const set = (name, value) => element.setAttribute(name, value);
  let current = -1;
  const show = (index) => {
    current = index;
    onmove(index);
    bubble.hidden = index < 0;
    if (index < 0) return;
    set("aria-valuenow", index);
    set("aria-valuetext", text(index));
    bubble.textContent = text(index);
    const share = places()[index];
    bubble.style.left = `${share * picture.getBoundingClientRect().width}px`;
    bubble.style.transform = `translateX(${-100 * share}%)`;
  };
  const nearest = (event) => {
    const box = picture.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    return places().reduce((best, place, index, all) =>
      Math.abs(place - share) < Math.abs(all[best] - share) ? index : best, 0);
  };
  const keys = {
    ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: largeStep, PageDown: -largeStep,
    Home: -Infinity, End: Infinity,
  };
  picture.removeAttribute("role");
  picture.removeAttribute("aria-label");
  picture.setAttribute("aria-hidden", "true");
  set("aria-valuemin", 0);
  set("aria-valuemax", Math.max(0, count - 1));
  set("aria-valuenow", 0);
  set("aria-valuetext", count > 0 ? text(0) : label);
  picture.addEventListener("pointermove", (event) => show(nearest(event)));
  picture.addEventListener("pointerdown", (event) => show(nearest(event)));
  picture.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && document.activeElement !== element) show(-1);
  });
  element.addEventListener("focus", () => {
    if (current < 0 && element.matches(":focus-visible")) show(0);
  });
  element.addEventListener("blur", () => show(-1));
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return show(-1);
    const step = keys[event.key];
    if (step === undefined || count === 0) return undefined;
    event.preventDefault();
    return show(Math.min(count - 1, Math.max(0, Math.max(0, current) + (current < 0 ? 0 : step))));
  });
  return element;
}
