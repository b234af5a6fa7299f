// The building blocks that all screens share: headings, cards, skeletons, empty states and comparisons.

import { h, icon, put, uniqueID } from "../app/dom.js";
import { live } from "../app/api.js";
import { percent } from "../app/format.js";

/** The head of a screen: what stands above the title, the title, and actions on the right. */
export function head(title, { eyebrow = null, actions = [] } = {}) {
  return h("header.head", null,
    h("div", null, h("p.eyebrow", null, eyebrow), h("h1", { tabindex: "-1" }, title)),
    h("div.head-actions", null, ...actions));
}

/** The mark that says whether the page hears of changes. */
export function liveMark() {
  return h("span.live", { role: "status", "data-state": live.state }, live.state === "open" ? "Live" : "Connecting");
}

/** A card with a heading. `tone` is a category; `aside` stands at the right of the heading. */
export function card(title, { tone = "", symbol = null, aside = null, className = "", level = "h2" } = {}, ...children) {
  const id = uniqueID("card");
  const body = h("div.stack", { class: "card-body" }, ...children);
  const asideElement = aside instanceof Node && aside.tagName === "A" ? (aside.classList.add("aside"), aside) : h("span.aside", null, aside);
  const element = h("section.card", { class: `${tone} ${className}`.trim(), "aria-labelledby": id },
    h("header", null, h(level, { id }, symbol && icon(symbol), title), asideElement), body);
  return { element, body, aside: asideElement, show: (...parts) => { element.removeAttribute("aria-busy"); put(body, ...parts); } };
}

/** Gray shapes of the size of what is loading, so that nothing moves when it arrives. */
export function skeleton(...shapes) {
  return shapes.map((shape) => h("div.skeleton", { class: shape, "aria-hidden": "true" }));
}

/** What to do where there is nothing to see. */
export function empty(title, text, ...actions) {
  return h("div.empty", null, h("b", null, title), text && h("span", null, text), actions.length > 0 && h("div.row", null, ...actions));
}

/** A failure in place of what could not be loaded, with a way to try again. */
export function failure(error, retry) {
  return h("div.empty", { role: "alert" }, h("b", null, "This could not be loaded"), h("span", null, error.message),
    retry && h("button.button.small", { type: "button", onclick: retry }, "Try Again"));
}

/**
 * A value against a baseline: ↑ 12% above your four-week average. Differences below 1 % are no difference.
 * The direction is said by an arrow and by words, not by color.
 */
export function comparison(value, usual, { than = "your 4-week average", format = null } = {}) {
  if (!Number.isFinite(value) || !Number.isFinite(usual) || usual === 0) {
    return h("p.delta", null, "No 4-week average yet");
  }
  const difference = (value - usual) / Math.abs(usual);
  const amount = format ? format(Math.abs(value - usual)) : percent(Math.abs(difference));
  if (Math.abs(difference) < 0.01) return h("p.delta", null, icon("even"), `Same as ${than}`);
  return h("p.delta", null, icon(difference > 0 ? "up" : "down"),
    h("span", null, h("b", null, amount), ` ${difference > 0 ? "above" : "below"} ${than}`));
}

/** A number with its unit. */
export function figure(text, unit, className = "") {
  return h("p.figure", { class: className }, text, unit && h("small", null, unit));
}

/** Names and values in columns. Each entry is `[name, value, unit, tone]`. */
export function figures(entries, className = "") {
  return h("dl.figures", { class: className }, entries.filter(Boolean).map(([name, value, unit, tone]) =>
    h("div", { class: tone ?? "" }, h("dt", null, tone && h("span.dot"), name), h("dd", null, value, unit && h("small.unit", null, unit)))));
}
