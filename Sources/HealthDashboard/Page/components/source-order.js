// The sources of a type in the order in which statistics prefer them, moved by dragging or with the arrow keys.

import * as api from "../app/api.js";
import { announce, html, put } from "../app/dom.js";
import { count } from "../app/format.js";
import { localized } from "../app/language.js";
import { iconButton, titled } from "./cards.js";
import { toast } from "./dialogs.js";

/** A list of sources to reorder. `changed()` runs after the server has the new order. */
export class SourceOrder {
  constructor(type, changed) {
    this.type = type;
    this.changed = changed;
    this.sources = [];
    this.element = html("ol.list.order", { "aria-label": localized("Sources, preferred first") });
    this.element.addEventListener("dragover", (event) => event.preventDefault());
  }

  async load() {
    ({ sources: this.sources } = await api.read("sources/order", { type: this.type }));
    this.show();
    return this.sources;
  }

  show(focused) {
    put(this.element, this.sources.map((source, index) => this.row(source, index)));
    this.element.children[focused]?.querySelector(".handle").focus();
  }

  row(source, index) {
    const { source: name, bundleIdentifier, isEnabled } = source;
    const samples = count(source.count ?? 0, "{count} sample", "{count} samples");
    const row = html(
      "li",
      { draggable: "true", "data-source": bundleIdentifier },
      this.handle(name, index),
      titled(name, index === 0 && isEnabled ? localized("{samples} · preferred", { samples }) : samples),
      html("span.moves", this.step(name, index, -1), this.step(name, index, 1)),
      this.checkbox(source),
    );
    this.makeDraggable(row, index);
    return row;
  }

  handle(name, index) {
    const onkeydown = (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.move(index, index + step, true);
    };
    const label = localized("Move {name}, {place} of {count}", { name, place: index + 1, count: this.sources.length });
    const properties = { class: "quiet handle", "aria-keyshortcuts": "ArrowUp ArrowDown", onkeydown };
    return iconButton("grip", label, null, properties);
  }

  step(name, index, step) {
    const direction = step < 0 ? "up" : "down";
    const disabled = !this.sources[index + step];
    const move = () => this.move(index, index + step);
    const label = step < 0 ? localized("Move {name} up", { name }) : localized("Move {name} down", { name });
    return iconButton(direction, label, move, { class: "quiet", disabled });
  }

  checkbox(source) {
    const checkbox = html("input", { type: "checkbox", "aria-label": localized("Use {source}", source) });
    checkbox.checked = source.isEnabled;
    checkbox.addEventListener("change", () => {
      source.isEnabled = checkbox.checked;
      this.save(source.isEnabled ? localized("{source} is used.", source) : localized("{source} is not used.", source));
    });
    return checkbox;
  }

  makeDraggable(row, index) {
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
  }

  move(from, to, keepsFocus = false) {
    if (to < 0 || to >= this.sources.length || from === to) return;
    const [source] = this.sources.splice(from, 1);
    this.sources.splice(to, 0, source);
    this.show(keepsFocus ? to : undefined);
    const values = { source: source.source, place: to + 1, count: this.sources.length };
    this.save(localized("{source} is now {place} of {count}.", values));
  }

  async save(text) {
    announce(text);
    const sources = this.sources.map(({ bundleIdentifier, isEnabled }) => ({ bundleIdentifier, isEnabled }));
    try {
      await api.put("sources/order", { sources }, { type: this.type });
      await this.changed();
    } catch (error) {
      toast(api.reason(error));
      await this.load();
    }
  }
}
