// Controls: a choice of a few, and fields with labels.

import { html, uniqueID } from "../app/dom.js";
import { number, numberIn, numberText } from "../app/format.js";
import { localized } from "../app/language.js";

/** A choice of a few, as buttons of which one is pressed. `options` are `[value, label, longLabel]`. */
export function segmented(label, options, selected, onchange) {
  const group = html("div.segmented", { role: "group", "aria-label": label });
  const show = (value) => {
    for (const button of group.children) {
      button.setAttribute("aria-pressed", String(button.dataset.value === String(value)));
    }
  };
  for (const [value, text, long] of options) {
    group.append(html("button", {
      type: "button",
      "data-value": value,
      "aria-label": long,
      "aria-pressed": "false",
      onclick: () => {
        show(value);
        onchange(value);
      },
    }, text));
  }
  show(selected);
  return group;
}

/** A labelled field. `control` gets an identifier; `hint` explains it. */
export function field(label, control, { hint, unit } = {}) {
  const input = control.matches("input, select, textarea") ? control : control.querySelector("input, select");
  input.id ||= uniqueID("field");
  const problem = html("span.problem", { id: `${input.id}-problem`, role: "alert" });
  input.setAttribute("aria-describedby", `${hint ? `${input.id}-hint ` : ""}${problem.id}`);
  input.addEventListener("input", () => accept(input));
  return html(
    "div.field",
    html("label", { for: input.id }, label),
    unit ? html("div.with-unit", control, html("span.unit", unit)) : control,
    hint && html("span.hint", { id: `${input.id}-hint` }, hint),
    problem,
  );
}

/** Marks a field as not valid and says why. */
export function reject(input, message) {
  input.setAttribute("aria-invalid", "true");
  say(input, message);
  input.focus();
}

/** Takes back that a field isn't valid. */
export function accept(input) {
  input.removeAttribute("aria-invalid");
  say(input, "");
}

function say(input, message) {
  const problem = document.getElementById(`${input.id}-problem`);
  if (problem) problem.textContent = message;
}

/** A field for a number, in the page's language. */
export function numberInput({ value = "", min = 0, max = 1e6, step = "any", required = true, placeholder } = {}) {
  return html("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    value: value === "" ? "" : numberText(Number(value)),
    "data-min": min,
    "data-max": max,
    "data-step": step,
    "data-required": required ? "yes" : "no",
    placeholder,
  });
}

/** The number in a field; `null` if it is empty and may be; `undefined` after marking it if it is not valid. */
export function readNumber(input) {
  const text = input.value.trim();
  if (text === "" && input.dataset.required === "no") return null;
  const value = numberIn(text);
  if (!Number.isFinite(value)) return reject(input, localized("Enter a number."));
  if (value < Number(input.dataset.min) || value > Number(input.dataset.max)) {
    const [min, max] = [input.dataset.min, input.dataset.max].map((limit) => number(Number(limit), 2));
    return reject(input, localized("Enter a number from {min} to {max}.", { min, max }));
  }
  return value;
}

/** A list to choose from. `options` are `[value, label]`. */
export function select(options, selected, onchange) {
  const element = html(
    "select",
    { onchange: onchange && (() => onchange(element.value)) },
    options.map(([value, text]) => html("option", { value, selected: String(value) === String(selected) }, text)),
  );
  element.value = selected ?? options[0]?.[0] ?? "";
  return element;
}

/** A small list to choose from, whose name isn't shown. */
export function compactSelect(label, options, selected, onchange) {
  const element = select(options, selected, onchange);
  element.setAttribute("aria-label", label);
  element.classList.add("compact");
  return element;
}
