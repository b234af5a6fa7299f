// The sources of a type in the order in which statistics prefer them, moved by dragging or with the arrow keys.

import * as api from "../app/api.js";
import { announce, html, icon, put } from "../app/dom.js";
import { count } from "../app/format.js";
import { toast } from "./dialogs.js";

/** A list of sources to reorder. `changed()` runs after the server has the new order; `color(index)` marks a source. */
export class SourceOrder {
  constructor(type, { changed, color }) {
    this.type = type;
    this.changed = changed;
    this.color = color;
    this.sources = [];
    this.element = html("ol.list.order", { "aria-label": "Sources, preferred first" });
    this.element.addEventListener("dragover", (event) => event.preventDefault());
  }

  async load() {
    ({ sources: this.sources } = await api.read("sources/order", { type: this.type }));
    this.show();
    return this.sources;
  }

  show(focus) {
    put(this.element, this.sources.map((source, index) => this.row(source, index)));
    if (focus !== undefined) this.element.children[focus]?.querySelector(".handle")?.focus();
  }

  row(source, index) {
    const checkbox = html("input", {
      type: "checkbox",
      checked: source.isEnabled,
      "aria-label": `Use ${source.source}`,
    });
    checkbox.checked = source.isEnabled;
    checkbox.addEventListener("change", () => {
      source.isEnabled = checkbox.checked;
      this.save(`${source.source} is ${checkbox.checked ? "used" : "not used"}.`);
    });
    const handle = html("button.button.quiet.icon-only.small.handle", {
      type: "button",
      "aria-label": `Move ${source.source}, ${index + 1} of ${this.sources.length}`,
      "aria-keyshortcuts": "ArrowUp ArrowDown",
      onkeydown: (event) => {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        this.move(index, index + step, true);
      },
    }, icon("grip"));
    const row = html(
      "li",
      { draggable: "true", "data-source": source.bundleIdentifier },
      handle,
      this.color && html("span.dot", { class: `series-${index % 4}` }),
      html(
        "span.text",
        html("span.title", source.source),
        html("br"),
        html(
          "span.detail",
          `${count(source.count ?? 0, "sample")}${index === 0 && source.isEnabled ? " · preferred" : ""}`,
        ),
      ),
      html(
        "span.moves",
        html("button.button.quiet.icon-only.small", {
          type: "button",
          disabled: index === 0,
          "aria-label": `Move ${source.source} up`,
          onclick: () => this.move(index, index - 1),
        }, icon("up")),
        html("button.button.quiet.icon-only.small", {
          type: "button",
          disabled: index === this.sources.length - 1,
          "aria-label": `Move ${source.source} down`,
          onclick: () => this.move(index, index + 1),
        }, icon("down")),
      ),
      checkbox,
    );
    row.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData("text/plain", String(index));
      event.dataTransfer.effectAllowed = "move";
      row.classList.add("dragging");
    });
    row.addEventListener("dragend", () => row.classList.remove("dragging"));
    row.addEventListener("dragenter", () => row.classList.add("over"));
    row.addEventListener("dragleave", () => row.classList.remove("over"));
    row.addEventListener("drop", (event) => {
      event.preventDefault();
      row.classList.remove("over");
      const from = Number(event.dataTransfer.getData("text/plain"));
      if (Number.isInteger(from)) this.move(from, index);
    });
    return row;
  }

  move(from, to, keepsFocus = false) {
    if (to < 0 || to >= this.sources.length || from === to) return;
    const [source] = this.sources.splice(from, 1);
    this.sources.splice(to, 0, source);
    this.show(keepsFocus ? to : undefined);
    this.save(`${source.source} is now ${to + 1} of ${this.sources.length}.`);
  }

  async save(text) {
    announce(text);
    try {
      await api.put("sources/order", {
        sources: this.sources.map(({ bundleIdentifier, isEnabled }) => ({ bundleIdentifier, isEnabled })),
      }, { type: this.type });
      await this.changed();
    } catch (error) {
      toast(error.message);
      await this.load();
    }
  }
}
