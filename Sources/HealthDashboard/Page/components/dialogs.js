// Dialogs, and messages with undo.

import { reason } from "../app/api.js";
import { announce, focus, html, icon, put, uniqueID } from "../app/dom.js";
import { localized } from "../app/language.js";

/**
 * Opens a dialog. `build(close)` returns its contents; `submit`, if given, is the label of the button that sends the
 * form, and `onsubmit` saves: the dialog closes unless it answers `false` or throws.
 */
export function openDialog(title, { build, submit, onsubmit, danger = false }) {
  const id = uniqueID("dialog");
  const opener = document.activeElement;
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
        problem.textContent = reason(error);
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
      html(
        "button.button.icon-only.plain",
        { type: "button", "aria-label": localized("Close"), onclick: close },
        icon("close"),
      ),
    ),
    content,
    submit && html("footer", html("button.button", { type: "button", onclick: close }, localized("Cancel")), button),
  );
  put(content, build(close), problem);
  dialog.append(form);
  // The way back leads to another screen, which the dialog isn't about.
  addEventListener("hashchange", close);
  dialog.addEventListener("close", () => {
    removeEventListener("hashchange", close);
    dialog.remove();
    // The browser gives the focus back, unless what opened the dialog is gone.
    if (document.activeElement === document.body) focus(opener);
  });
  // Selecting text in a field may end beside the dialog.
  let isPressedBeside = false;
  dialog.addEventListener("pointerdown", (event) => {
    isPressedBeside = event.target === dialog;
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && isPressedBeside) close();
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

let dismissLast = () => {};

/**
 * A message at the bottom of the page for ten seconds; when the focus or the pointer reaches it, until it is dismissed.
 * With an action there is a button, and Ctrl+Z does the same from anywhere.
 */
export function toast(text, { action, onaction } = {}) {
  dismissLast();
  const opener = document.activeElement;
  const element = html("div.toast", { role: "status" });
  let timer = 0;
  const dismiss = () => {
    clearTimeout(timer);
    document.removeEventListener("keydown", onkeydown);
    const hadFocus = element.contains(document.activeElement);
    element.remove();
    if (hadFocus) focus(opener);
  };
  const act = async () => {
    dismiss();
    try {
      await onaction();
    } catch (error) {
      toast(reason(error));
    }
  };
  const onkeydown = (event) => {
    const isUndo = action && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (event.key === "Escape" && element.contains(event.target)) dismiss();
    if (!isUndo || event.target.closest("input, textarea, select, dialog")) return;
    event.preventDefault();
    act();
  };
  const stay = () => clearTimeout(timer);
  const button = { type: "button", "aria-keyshortcuts": "Control+Z Meta+Z", title: localized("Ctrl+Z"), onclick: act };
  put(
    element,
    html("span", text),
    action && html("button.button", button, action),
    html(
      "button.button.icon-only.small",
      { type: "button", "aria-label": localized("Dismiss"), onclick: dismiss },
      icon("close"),
    ),
  );
  for (const name of ["focusin", "pointerenter"]) element.addEventListener(name, stay);
  document.addEventListener("keydown", onkeydown);
  put(document.getElementById("toasts"), element);
  announce(action ? `${text} ${localized("{action} with Control Z.", { action })}` : text);
  timer = setTimeout(dismiss, 10000);
  dismissLast = dismiss;
}
