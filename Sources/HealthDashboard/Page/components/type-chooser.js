// Types to choose by topic, for tokens, links and webhooks.

import * as api from "../app/api.js";
import { html, icon, put } from "../app/dom.js";
import { count, dateRange, number } from "../app/format.js";
import { locale, localized } from "../app/language.js";
import { categories, category, membersOf, typeName } from "../app/types.js";
import { failure, scrollArea } from "./cards.js";
import { field } from "./controls.js";
import { categoryCards } from "./type-list.js";

/**
 * The types in the store, and those that were chosen before, by topic: each can be chosen as a whole, opened, and found
 * by a search. With `writes`, each may be read, written or both; `previews` adds what a link will show.
 */
export class TypeChooser {
  constructor(label, { writes, previews = false, read = [], share = [] }) {
    this.kinds = writes ? ["read", "share"] : ["read"];
    this.before = { read, share };
    this.isChanged = false;
    this.types = [];
    this.open = new Set();
    const placeholder = localized("Heart, weight, steps …");
    this.search = html("input", { type: "search", autocomplete: "off", placeholder });
    this.search.addEventListener("input", () => this.showRows());
    this.list = scrollArea(localized("Types"));
    this.list.classList.add("types");
    this.list.addEventListener("change", ({ target }) => this.change(target));
    this.problem = html("span.problem", { role: "alert" });
    this.element = html(
      "div.field",
      html("span.label", label),
      field(localized("Find a type"), this.search),
      this.list,
      this.problem,
    );
    this.preview = previews && html(
      "details.values.preview",
      { ontoggle: () => this.showPreview() },
      html("summary", localized("What the other person will see")),
      html("div.stack"),
    );
    this.load();
  }

  /** The chosen types by kind. */
  chosen() {
    const of = (kind) => [...this.list.querySelectorAll(`[data-kind=${kind}]:checked`)].map(({ value }) => value);
    return { read: of("read"), share: of("share") };
  }

  reject(message) {
    this.problem.textContent = message;
    this.list.querySelector("input")?.focus();
    return false;
  }

  async load() {
    try {
      const { types } = await api.read("types", { recent: Boolean(this.preview) });
      this.types = types;
      const isWritable = new Map(types.map(({ type, isShareable }) => [type, isShareable !== false]));
      const known = types.filter(({ type }) => this.kinds.length === 1 || isWritable.get(type)).map(({ type }) => type);
      this.show([...new Set([...known, ...this.before.read, ...this.before.share])]);
    } catch (error) {
      put(this.list, failure(error));
    }
  }

  show(identifiers) {
    const byName = [...identifiers].sort((one, other) => typeName(one).localeCompare(typeName(other), locale));
    const groups = Map.groupBy(byName, category);
    const topics = Object.keys(categories).filter((name) => groups.has(name));
    const titles = [localized("Type"), ...this.kinds.map((kind) => this.verb(kind))];
    const all = localized("All");
    put(
      this.list,
      html(
        "table.table",
        html("thead", html("tr", titles.map((title) => html("th", { scope: "col" }, title)))),
        html("tbody", this.wholeRow(all, all)),
        topics.map((topic) => this.topic(topic, groups.get(topic))),
      ),
    );
    this.showRows();
    this.showState();
  }

  verb(kind) {
    return kind === "read" ? localized("Read") : localized("Write");
  }

  topic(topic, identifiers) {
    const { name, icon: symbol } = categories[topic];
    const toggle = () => {
      if (!this.open.delete(topic)) this.open.add(topic);
      this.showRows();
    };
    const button = html(
      "button.plain.topic",
      { type: "button", "aria-expanded": "false", onclick: toggle },
      icon(symbol),
      name,
      html("span.muted.small"),
    );
    return html(
      "tbody",
      { class: topic, "data-topic": topic },
      this.wholeRow(button, name),
      identifiers.map((type) => this.row(type)),
    );
  }

  /** A row whose boxes choose all types of a topic, or all. */
  wholeRow(title, name) {
    const box = (kind) => {
      const label = kind === "read"
        ? localized("Read all: {name}", { name })
        : localized("Write all: {name}", { name });
      return html("td", html("input", { type: "checkbox", "data-all": kind, "aria-label": label }));
    };
    return html("tr", html("th", { scope: "row" }, title), this.kinds.map(box));
  }

  row(type) {
    const name = typeName(type);
    const box = (kind) => {
      const label = kind === "read" ? localized("Read {name}", { name }) : localized("Write {name}", { name });
      const input = { type: "checkbox", value: type, "data-kind": kind, "aria-label": label };
      return html("td", html("input", { ...input, checked: this.before[kind].includes(type) }));
    };
    return html("tr", { "data-name": name.toLowerCase() }, html("td", name), this.kinds.map(box));
  }

  boxes(kind, within = this.list) {
    return [...within.querySelectorAll(`[data-kind=${kind}]`)];
  }

  /** Chooses a whole topic, or what the search has found; a correlation goes with its members. */
  change(box) {
    const { kind = box.dataset.all } = box.dataset;
    const isFound = (one) => !this.search.value.trim() || !one.closest("tr").hidden;
    const changed = box.dataset.all
      ? this.boxes(kind, box.closest("[data-topic]") ?? this.list).filter(isFound)
      : [box];
    const all = this.boxes(kind);
    const identifiers = all.map(({ value }) => value);
    const check = (values, checked) => all.filter(({ value }) => values.includes(value))
      .forEach((one) => Object.assign(one, { checked }));
    check(changed.map(({ value }) => value), box.checked);
    for (const { value } of changed) {
      check(membersOf(value, identifiers), box.checked);
      if (!box.checked) check(identifiers.filter((one) => membersOf(one, identifiers).includes(value)), false);
    }
    this.isChanged = true;
    this.problem.textContent = "";
    this.showState();
  }

  /** How many types of each topic are chosen, and what they show. */
  showState() {
    for (const box of this.list.querySelectorAll("[data-all]")) {
      const topic = box.closest("[data-topic]");
      const boxes = this.boxes(box.dataset.all, topic ?? this.list);
      const chosen = boxes.filter(({ checked }) => checked).length;
      box.checked = chosen === boxes.length && chosen > 0;
      box.indeterminate = chosen > 0 && chosen < boxes.length;
      if (!topic || box.dataset.all !== "read") continue;
      const numbers = { chosen: number(chosen), count: number(boxes.length) };
      topic.querySelector(".topic span").textContent = localized("{chosen} of {count}", numbers);
    }
    this.showPreview();
  }

  showPreview() {
    if (!this.preview?.open) return;
    const { read } = this.chosen();
    const types = this.types.filter(({ type }) => read.includes(type));
    put(
      this.preview.lastChild,
      types.length > 0
        ? [html("p.muted.small", extent(types)), categoryCards(types, "", { isPreview: true })]
        : html("p.muted", localized("Choose some types.")),
    );
  }

  /** Rows of the topics that are open or have the text. */
  showRows() {
    const text = this.search.value.trim().toLowerCase();
    for (const body of this.list.querySelectorAll("[data-topic]")) {
      const { topic } = body.dataset;
      const isFound = categories[topic].name.toLowerCase().includes(text);
      const rows = [...body.querySelectorAll("[data-name]")];
      for (const row of rows) {
        const matches = isFound || row.dataset.name.includes(text);
        row.hidden = text ? !matches : !this.open.has(topic);
      }
      body.hidden = Boolean(text) && rows.every((row) => row.hidden);
      body.querySelector("button").setAttribute("aria-expanded", String(rows.some((row) => !row.hidden)));
    }
  }
}

/** How much some types are, and from when to when. */
function extent(types) {
  const samples = types.reduce((sum, type) => sum + type.count, 0);
  const times = (member) => types.map((type) => Date.parse(type[member])).filter(Number.isFinite);
  const [start, end] = [Math.min(...times("startDate")), Math.min(Date.now(), Math.max(...times("endDate")))];
  const parts = [
    count(types.length, "{count} type", "{count} types"),
    count(samples, "{count} sample", "{count} samples"),
    start <= end && dateRange(new Date(start), new Date(end)),
  ];
  return parts.filter(Boolean).join(" · ");
}
