// Files that are dropped anywhere in the window: the place on the screen that imports takes them, else the Data screen.

import { html, icon, put } from "../app/dom.js";
import { localized } from "../app/language.js";
import { toast } from "./dialogs.js";

let waiting = [];
const arrived = new EventTarget();

/** Passes dropped files to `accept` as long as the screen is there, and those that wait for a screen. */
export function receiveFiles(accept, signal) {
  const take = () => {
    const files = waiting;
    waiting = [];
    if (files.length > 0) accept(files);
  };
  arrived.addEventListener("files", take, { signal });
  take();
}

/** The names of dropped folders, whose contents a page is not given as files. */
const foldersOf = ({ items }) =>
  [...items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry?.isDirectory).map(({ name }) => name);

/** Takes files that are dropped in the window, if `isSignedIn()`; `showPlace()` goes to a screen that imports. */
export function acceptDrops({ isSignedIn, showPlace }) {
  const overlay = html("div.drop-overlay", { hidden: true, "aria-hidden": "true" });
  document.body.append(overlay);
  const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files") && isSignedIn();
  const show = (isOver) => {
    if (overlay.hidden !== isOver) return;
    overlay.hidden = !isOver;
    put(overlay, isOver && html("p", icon("upload"), html("b", localized("Drop to import"))));
  };
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    show(true);
  });
  addEventListener("dragleave", (event) => {
    // From one element to another, the window isn't left.
    if (!event.relatedTarget) show(false);
  });
  addEventListener("drop", (event) => {
    show(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    const folders = foldersOf(event.dataTransfer);
    const files = [...event.dataTransfer.files].filter(({ name }) => !folders.includes(name));
    waiting = [...waiting, ...files];
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    if (folders.length > 0) {
      const name = folders[0];
      toast(localized("“{name}” is a folder. Drop the zip file that it comes from, or the files in it.", { name }));
    }
    arrived.dispatchEvent(new Event("files"));
    if (waiting.length > 0) showPlace();
  });
}
