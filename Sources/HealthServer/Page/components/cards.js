// The building blocks that all screens share: headings, cards, skeletons, empty states and comparisons.

import { html, icon, put, uniqueID } from "../app/dom.js";
import { live } from "../app/live.js";
import { percent } from "../app/format.js";

/** The head of a screen: what stands above the title, the title, and actions on the right. */
export function head(title, { eyebrow = null, actions = [] } = {}) {
  return html(
    "header.head",
    html("div", html("p.eyebrow", eyebrow), html("h1", { tabindex: "-1" }, title)),
    html("div.head-actions", ...actions),
  );
}

/** The mark that says whether the page hears of changes. */
export function liveMark() {
  return html("span.live", { role: "status", "data-state": live.state }, live.state === "open" ? "Live" : "Connecting");
}

/** A card with a heading. `tone` is a category; `aside` stands at the right of the heading. */
export function card(
  title,
  { tone = "", symbol = null, aside = null, className = "", level = "h2" } = {},
  ...children
) {
  const id = uniqueID("card");
  const body = html("div.stack", { class: "card-body" }, ...children);
  const asideElement = aside instanceof Node && aside.tagName === "A"
    ? (aside.classList.add("aside"), aside)
    : html("span.aside", aside);
  const element = html(
    "section.card",
    { class: `${tone} ${className}`.trim(), "aria-labelledby": id },
    html("header", html(level, { id }, symbol && icon(symbol), title), asideElement),
    body,
  );
  return {
    element,
    body,
    aside: asideElement,
    show: (...parts) => {
      element.removeAttribute("aria-busy");
      put(body, ...parts);
    },
  };
}

/** Gray shapes of the size of what is loading, so that nothing moves when it arrives. */
export function skeleton(...shapes) {
  return shapes.map((shape) => html("div.skeleton", { class: shape, "aria-hidden": "true" }));
}

/** What to do where there is nothing to see. */
export function empty(title, text, ...actions) {
  return html(
    "div.empty",
    html("b", title),
    text && html("span", text),
    actions.length > 0 && html("div.row", ...actions),
  );
}

/** A failure in place of what could not be loaded, with a way to try again. */
export function failure(error, retry) {
  return html(
    "div.empty",
    { role: "alert" },
    html("b", "This could not be loaded"),
    html("span", error.message),
    retry && html("button.button.small", { type: "button", onclick: retry }, "Try Again"),
  );
}

/**
 * A value against a baseline: ↑ 12% above your four-week average. Differences below 1 % are no difference.
 * The direction is said by an arrow and by words, not by color.
 */
export function comparison(value, usual, { than = "your 4-week average", format = null } = {}) {
  if (!Number.isFinite(value) || !Number.isFinite(usual) || usual === 0) {
    return html("p.delta", "No 4-week average yet");
  }
  const difference = (value - usual) / Math.abs(usual);
  const amount = format ? format(Math.abs(value - usual)) : percent(Math.abs(difference));
  if (Math.abs(difference) < 0.01) return html("p.delta", icon("even"), `Same as ${than}`);
  return html(
    "p.delta",
    icon(difference > 0 ? "up" : "down"),
    html("span", html("b", amount), ` ${difference > 0 ? "above" : "below"} ${than}`),
  );
}

/** A number with its unit. */
export function figure(text, unit, className = "") {
  return html("p.figure", { class: className }, text, unit && html("small", unit));
}

/** Names and values in columns. Each entry is `[name, value, unit, tone]`. */
export function figures(entries, className = "") {
  return html(
    "dl.figures",
    { class: className },
    entries.filter(Boolean).map(([name, value, unit, tone]) =>
      html(
        "div",
        { class: tone ?? "" },
        html("dt", tone && html("span.dot"), name),
        html("dd", value, unit && html("small.unit", unit)),
      )
    ),
  );
}
