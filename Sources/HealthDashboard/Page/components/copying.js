// Texts to copy into other apps.

import { html, uniqueID } from "../app/dom.js";
import { localized } from "../app/language.js";
import { toast } from "./dialogs.js";

/** Copies a text. `navigator.clipboard` exists only where the page is loaded securely. */
export async function copy(text) {
  try {
    await (navigator.clipboard ? navigator.clipboard.writeText(text) : copySelected(text));
    toast(localized("Copied."));
  } catch {
    toast(localized("Select the text and copy it."));
  }
}

/** Copies a text by selecting it, in the open dialog if there is one: nothing outside it can be selected. */
function copySelected(text) {
  const opener = document.activeElement;
  const area = html("textarea.sr", { readonly: true, "aria-hidden": "true", tabindex: "-1" });
  area.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  opener?.focus({ preventScroll: true });
  if (!isCopied) throw new Error();
}

/** A named text with a button that copies it. */
export function copyable(name, text) {
  const id = uniqueID("text");
  const label = localized("Copy {name}", { name });
  return html(
    "div.copyable",
    html("span.small.muted", { id }, name),
    html("code.code", { "aria-labelledby": id }, text),
    html("button.button.small", { type: "button", "aria-label": label, onclick: () => copy(text) }, localized("Copy")),
  );
}
