// Controls: a choice of a few, fields with labels, dialogs and messages with undo.

import { announce, h, icon, put, uniqueID } from "../app/dom.js";

/** A choice of a few, as buttons of which one is pressed. `options` are `[value, label, longLabel]`. */
export function segmented(label, options, selected, onchange) {
  const group = h("div.segmented", { role: "group", "aria-label": label });
  const show = (value) => {
    for (const button of group.children) button.setAttribute("aria-pressed", String(button.dataset.value === String(value)));
  };
  for (const [value, text, long] of options) {
    group.append(h("button", {
      type: "button", "data-value": value, "aria-label": long, "aria-pressed": "false",
      onclick: () => { show(value); onchange(value); },
    }, text));
  }
  show(selected);
  return group;
}

/** A labelled field. `control` gets an identifier; `hint` explains it. */
export function field(label, control, { hint, unit } = {}) {
  const input = control.matches("input, select, textarea") ? control : control.querySelector("input, select");
  input.id ||= uniqueID("field");
  const problem = h("span.problem", { id: `${input.id}-problem`, role: "alert" });
  input.setAttribute("aria-describedby", `${hint ? `${input.id}-hint ` : ""}${problem.id}`);
  input.addEventListener("input", () => { input.removeAttribute("aria-invalid"); problem.textContent = ""; });
  return h("div.field", null, h("label", { for: input.id }, label),
    unit ? h("div.with-unit", null, control, h("span.unit", null, unit)) : control,
    hint && h("span.hint", { id: `${input.id}-hint` }, hint), problem);
}

/** Marks a field as not valid and says why. */
export function reject(input, message) {
  input.setAttribute("aria-invalid", "true");
  const problem = document.getElementById(`${input.id}-problem`);
  if (problem) problem.textContent = message;
  input.focus();
}

/** A field for a number. Reads what people write: 1,5 as well as 1.5. */
export function numberInput({ value = "", min = 0, max = 1e6, step = "any", required = true, placeholder } = {}) {
  return h("input", { type: "text", inputmode: "decimal", autocomplete: "off", value, "data-min": min, "data-max": max, "data-step": step, "data-required": required ? "yes" : "no", placeholder });
}

/** The number in a field; `null` if it is empty and may be; `undefined` after marking it if it is not valid. */
export function readNumber(input) {
  const text = input.value.trim().replace(",", ".");
  if (text === "" && input.dataset.required === "no") return null;
  const value = Number(text);
  if (text === "" || !Number.isFinite(value)) return reject(input, "Enter a number.");
  if (value < Number(input.dataset.min) || value > Number(input.dataset.max)) {
    return reject(input, `Enter a number from ${input.dataset.min} to ${input.dataset.max}.`);
  }
  return value;
}

/** A list to choose from. `options` are `[value, label]`. */
export function select(options, selected, onchange) {
  const element = h("select", { onchange: onchange && (() => onchange(element.value)) },
    options.map(([value, text]) => h("option", { value, selected: String(value) === String(selected) }, text)));
  element.value = selected ?? options[0]?.[0] ?? "";
  return element;
}

/**
 * Opens a dialog. `build(close)` returns its contents; `submit`, if given, is the label of the button that sends the
 * form, and `onsubmit` saves: the dialog closes unless it answers `false` or throws.
 */
export function openDialog(title, { build, submit, onsubmit, danger = false }) {
  const id = uniqueID("dialog");
  const dialog = h("dialog", { "aria-labelledby": id });
  const close = () => dialog.close();
  const problem = h("p.notice.bad", { role: "alert", hidden: true });
  const button = submit && h("button.button", { type: "submit", class: danger ? "danger" : "primary" }, submit);
  const form = h("form", {
    method: "dialog", novalidate: true,
    onsubmit: async (event) => {
      event.preventDefault();
      if (!onsubmit) return close();
      problem.hidden = true;
      if (button) button.disabled = true;
      try {
        if ((await onsubmit()) !== false) close();
      } catch (error) {
        problem.textContent = error.message;
        problem.hidden = false;
      } finally {
        if (button) button.disabled = false;
      }
      return undefined;
    },
  });
  const content = h("div.content");
  put(form,
    h("header", null, h("h2", { id }, title), h("button.button.icon-only.plain", { type: "button", "aria-label": "Close", onclick: close }, icon("close"))),
    content,
    submit && h("footer", null, h("button.button", { type: "button", onclick: close }, "Cancel"), button));
  put(content, build(close), problem);
  dialog.append(form);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });
  document.body.append(dialog);
  dialog.showModal();
  content.querySelector("[data-autofocus], input:not([type=hidden]), select")?.focus();
  return { dialog, close };
}

/** Asks before something that cannot be undone. */
export function confirmation(title, text, label, action) {
  openDialog(title, { build: () => h("p", null, text), submit: label, danger: true, onsubmit: action });
}

/** A message at the bottom of the page, with a way back if there is one. It stays ten seconds, or until it is dealt with. */
export function toast(text, { action, onaction } = {}) {
  const region = document.getElementById("toasts");
  const element = h("div.toast", { role: "status" }, h("span", null, text));
  const dismiss = () => element.remove();
  if (action) {
    element.append(h("button.button", { type: "button", onclick: async () => { dismiss(); await onaction(); } }, action));
  } else {
    element.append(h("button.button.icon-only.small", { type: "button", "aria-label": "Dismiss", onclick: dismiss }, icon("close")));
  }
  put(region, element);
  announce(text);
  setTimeout(dismiss, 10000);
}
