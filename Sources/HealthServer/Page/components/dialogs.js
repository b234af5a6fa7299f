// Dialogs, and messages with undo.

import { announce, html, icon, put, uniqueID } from "../app/dom.js";

/**
 * Opens a dialog. `build(close)` returns its contents; `submit`, if given, is the label of the button that sends the
 * form, and `onsubmit` saves: the dialog closes unless it answers `false` or throws.
 */
export function openDialog(title, { build, submit, onsubmit, danger = false }) {
  const id = uniqueID("dialog");
  const dialog = html("dialog", { "aria-labelledby": id });
  const close = () => dialog.close();
  const problem = html("p.notice.bad", { role: "alert", hidden: true });
  const button = submit && html("button.button", { type: "submit", class: danger ? "danger" : "primary" }, submit);
  const form = html("form", {
    method: "dialog",
    novalidate: true,
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
  const content = html("div.content");
  put(
    form,
    html(
      "header",
      html("h2", { id }, title),
      html("button.button.icon-only.plain", { type: "button", "aria-label": "Close", onclick: close }, icon("close")),
    ),
    content,
    submit && html("footer", html("button.button", { type: "button", onclick: close }, "Cancel"), button),
  );
  put(content, build(close), problem);
  dialog.append(form);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  content.querySelector("[data-autofocus], input:not([type=hidden]), select")?.focus();
  return { dialog, close };
}

/** Asks before something that cannot be undone. */
export function confirmation(title, text, label, action) {
  openDialog(title, { build: () => html("p", text), submit: label, danger: true, onsubmit: action });
}

/** A message at the bottom of the page for ten seconds, with a button if there is an action. */
export function toast(text, { action, onaction } = {}) {
  const region = document.getElementById("toasts");
  const element = html("div.toast", { role: "status" }, html("span", text));
  const dismiss = () => element.remove();
  if (action) {
    element.append(html("button.button", {
      type: "button",
      onclick: async () => {
        dismiss();
        await onaction();
      },
    }, action));
  } else {
    element.append(
      html(
        "button.button.icon-only.small",
        { type: "button", "aria-label": "Dismiss", onclick: dismiss },
        icon("close"),
      ),
    );
  }
  put(region, element);
  announce(text);
  setTimeout(dismiss, 10000);
}
