// All data of a type: every sample by day with all that it holds, by range and source; deleted one by one or together.

import { choose } from "../app/address.js";
import * as api from "../app/api.js";
import { addDays, dateIn, dateOf, instant } from "../app/calendar.js";
import { html, icon, put, withdraw } from "../app/dom.js";
import { count, date } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { category, typeAddress, typeName } from "../app/types.js";
import { attempt, empty, head, iconButton, liveMark, skeleton, titled } from "../components/cards.js";
import { accept, field, reject, select } from "../components/controls.js";
import { askToDeleteAll } from "../components/deletion.js";
import { askToDelete, dayName, describe, edit, formOf, prepareDescriptions } from "../components/entries.js";
import { firstDay } from "../components/paged-screen.js";
import { factList } from "../records/fields.js";

const pageSize = 100;
/** How many an address can ask for. */
const mostShown = 10000;
const byDate = [["-startDate", localized("Latest first")], ["startDate", localized("Earliest first")]];
const byValue = [["-value", localized("Highest first")], ["value", localized("Lowest first")]];
const [[usualOrder]] = byDate;
const identifierOfQuantities = /^HKQuantityType/;

class SampleScreen {
  constructor({ main, path: [identifier = ""], chosen, signal }) {
    const { from, to, source, sort, shown } = chosen;
    const isQuantity = identifierOfQuantities.test(identifier);
    this.orders = isQuantity ? [...byDate, ...byValue] : byDate;
    const order = this.orders.some(([name]) => name === sort) ? sort : usualOrder;
    const [first, last] = [from, to].map(dateIn);
    Object.assign(this, { main, identifier, signal, from: first, to: last < first ? undefined : last, source, order });
    this.shown = Math.min(Math.max(Math.ceil(shown / pageSize) || 1, 1) * pageSize, mostShown);
    this.filters = html("div.fields");
    this.list = html("div.stack", { "aria-busy": "true" }, html("div.card", skeleton("line", "line", "line")));
    const more = { type: "button", hidden: true, onclick: () => this.showMore() };
    this.more = html("button.button", more, localized("Show more"));
  }

  async start() {
    const name = typeName(this.identifier);
    put(
      this.main,
      head(localized("All data: {type}", { type: name }), {
        eyebrow: html("a", { href: typeAddress(this.identifier) }, icon("left", "small"), name),
        actions: [liveMark()],
      }),
      html(
        "div.stack",
        html("section.card", { "aria-label": localized("Filters") }, this.filters, this.actions()),
        html("section.stack", { "aria-label": localized("Samples") }, this.list, html("div", this.more)),
      ),
    );
    live.listen((changed) => {
      if (changed.size === 0 || changed.has(this.identifier)) this.load();
    }, this.signal);
    await Promise.all([this.showFilters(), this.load()]);
  }

  /** The samples that are shown, as parameters. */
  get parameters() {
    return {
      type: this.identifier,
      start: this.from && instant(this.from),
      end: this.to && instant(addDays(this.to, 1)),
      source: this.source?.replaceAll(",", "\\,"),
    };
  }

  change(choice) {
    Object.assign(this, choice, { shown: pageSize });
    choose(this.choices);
    return this.load();
  }

  /** What the address says. */
  get choices() {
    const { from, to, source, order, shown } = this;
    return { from, to, source, sort: order !== usualOrder && order, shown: shown > pageSize && shown };
  }

  async showFilters() {
    const day = (value) => html("input", { type: "date", value, min: firstDay, max: dateOf() });
    const days = [day(this.from), day(this.to)];
    const changeDays = ({ target }) => {
      days.forEach(accept);
      if (!days.every(({ validity }) => validity.valid)) return;
      const [from, to] = days.map(({ value }) => value || undefined);
      // Either day can end a mistake.
      if (from > to) reject(target, localized("The last day is before the first."));
      else this.change({ from, to });
    };
    for (const input of days) input.addEventListener("change", changeDays);
    const all = ["", localized("All sources")];
    const ofSources = (options) =>
      field(
        localized("Source"),
        select([all, ...options], this.source ?? "", (value) => this.change({ source: value || undefined })),
      );
    // It has its place before the sources are known, so that nothing moves.
    const place = ofSources([]);
    const order = select(this.orders, this.order, (value) => this.change({ order: value }));
    put(
      this.filters,
      field(localized("From"), days[0]),
      field(localized("To"), days[1]),
      place,
      field(localized("Order"), order),
    );
    const { sources } = await api.read("sources/order", { type: this.identifier });
    if (this.signal.aborted) return;
    const option = ({ bundleIdentifier, source, count: samples }) =>
      [bundleIdentifier, `${source} (${count(samples, "{count} sample", "{count} samples")})`];
    place.replaceWith(ofSources(sources.map(option)));
  }

  actions() {
    if (!api.session.isOwner) return null;
    const ask = () => askToDeleteAll(localized("Delete what is listed?"), this.parameters);
    const button = { type: "button", "data-action": "delete-all", onclick: ask };
    const text = localized("Delete these samples …");
    return html("div.row.above", html("button.button.small", button, icon("trash"), text));
  }

  showMore() {
    this.shown += pageSize;
    choose(this.choices, { replaces: true });
    return this.load();
  }

  /** Reads as many pages as are shown. */
  load() {
    const run = Symbol("load");
    this.run = run;
    const place = { show: (...parts) => put(this.list, html("div.card", ...parts)) };
    return attempt([place], this.signal, async () => {
      const samples = [];
      let cursor;
      do {
        const page = { ...this.parameters, sort: this.order, limit: pageSize, cursor };
        const answer = await api.read("samples", page);
        if (this.signal.aborted || this.run !== run) return;
        samples.push(...answer.samples);
        cursor = answer.nextCursor;
      } while (cursor && samples.length < this.shown);
      await prepareDescriptions(samples);
      if (!this.signal.aborted && this.run === run) this.show(samples, cursor !== undefined);
    });
  }

  show(samples, isCut) {
    const kept = new Set([...this.list.querySelectorAll("details[open]")].map(({ dataset }) => dataset.uuid));
    this.list.removeAttribute("aria-busy");
    const isByDay = byDate.some(([order]) => order === this.order);
    const days = isByDay ? [...Map.groupBy(samples, ({ startDate }) => dateOf(new Date(startDate)))] : [["", samples]];
    const rows = (ofDay) => html("ul.list", ofDay.map((sample) => row(sample, isByDay, kept.has(sample.uuid))));
    const heading = (day) => day && html("header", html("h2", dayName(day)));
    const tone = { class: category(this.identifier) };
    const section = ([day, ofDay]) => html("section.card", tone, heading(day), rows(ofDay));
    const filtered = this.from || this.to || this.source;
    const advice = filtered && localized("Choose another range or source.");
    if (samples.length === 0) put(this.list, html("div.card", empty(localized("No samples"), advice)));
    else put(this.list, days.map(section));
    withdraw(this.more, "hidden", !isCut, this.list.querySelector("summary"));
  }
}

/** A sample, with all that it holds when it is opened. */
function row(sample, isByDay, isOpen) {
  const [title, value] = describe(sample);
  const { startDate, endDate, source, uuid } = sample;
  const start = date(startDate, isByDay ? "time" : "momentOfYear");
  const isLong = endDate !== startDate && date(endDate, "moment") !== date(startDate, "moment");
  const isSameDay = dateOf(new Date(startDate)) === dateOf(new Date(endDate));
  const end = isLong && date(endDate, isSameDay ? "time" : "moment");
  const content = [title !== typeName(sample.type) && title, value].filter(Boolean).join(" · ");
  const body = html("div.stack");
  const open = () => {
    if (details.open && !body.firstChild) put(body, factList(sample), change(sample));
  };
  const details = html(
    "details.grow",
    { open: isOpen, "data-uuid": uuid, ontoggle: open },
    html("summary", titled(content || title, `${[start, end].filter(Boolean).join(" – ")} · ${source}`)),
    body,
  );
  return html("li", details, removal(sample, title, value));
}

/** What its owner can do with a sample: delete it and, of an own entry, change it. */
function removal(sample, title, value) {
  if (!api.session.isOwner) return null;
  const remove = () => askToDelete(sample, localized("Delete this sample?"));
  return iconButton("trash", localized("Delete {title}, {value}", { title, value }), remove, { class: "quiet" });
}

function change(sample) {
  if (!formOf(sample)) return null;
  const button = { type: "button", onclick: () => edit(sample) };
  return html("div.row", html("button.button.small", button, icon("edit"), localized("Edit")));
}

export async function render(context) {
  await new SampleScreen(context).start();
}
