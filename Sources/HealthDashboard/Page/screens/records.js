// The records of a type that are read one by one: their list, and one of them with everything that it holds.

import * as api from "../app/api.js";
import { html, icon, put, withdraw } from "../app/dom.js";
import { date } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { categories, category, shortName, typeAddress, typeName } from "../app/types.js";
import { allDataLink, attempt, backLink, card, head, liveMark } from "../components/cards.js";
import { nothingYet, skeleton, titled } from "../components/cards.js";
import * as generic from "../records/fields.js";

const pageSize = 20;

/** How the records of a type are shown; see `records/fields.js` for what each module exports. */
const modules = {
  electrocardiogram: () => import("../records/electrocardiograms.js"),
  audiogram: () => import("../records/audiograms.js"),
  visionPrescription: () => import("../records/prescriptions.js"),
  heartbeatSeries: () => import("../records/heartbeats.js"),
  stateOfMind: () => import("../records/states-of-mind.js"),
  gad7: () => import("../records/assessments.js"),
  phq9: () => import("../records/assessments.js"),
  medicationDoseEvent: () => import("../records/medications.js"),
  userAnnotatedMedicationConcept: () => import("../records/medications.js"),
  workoutRoute: () => import("../records/routes.js"),
  cda: () => import("../records/documents.js"),
};

function moduleOf(identifier) {
  if (identifier.startsWith("HKClinicalType")) return import("../records/clinical.js");
  if (identifier.startsWith("HKCorrelationType")) return import("../records/correlations.js");
  return modules[shortName(identifier)]?.() ?? generic;
}

class RecordScreen {
  constructor({ main, path: [identifier, uuid], signal }) {
    Object.assign(this, { main, identifier, signal, chosen: uuid, samples: [] });
    this.tone = category(identifier);
    const symbol = categories[this.tone].icon;
    this.overview = html("div");
    this.detail = card(localized("Record"), { tone: this.tone, symbol, className: "wide" }, skeleton("block"));
    this.list = html("ul.list", { "aria-busy": "true" }, skeleton("line", "line", "line"));
    this.more = html("button.button", { type: "button", hidden: true, onclick: () => this.readMore() });
    this.more.textContent = localized("Show more");
    this.all = card(localized("All records"), { tone: this.tone, symbol, className: "wide" }, this.list, this.more);
  }

  async start() {
    put(
      this.main,
      head(typeName(this.identifier), {
        eyebrow: backLink("trends", localized("Trends")),
        actions: [allDataLink(this.identifier), liveMark()],
      }),
      html("div.stack", this.overview, this.detail.element, this.all.element),
    );
    live.listen((types) => {
      if (types.size === 0 || types.has(this.identifier)) this.load();
    }, this.signal);
    await this.load();
  }

  load() {
    return attempt([this.detail], this.signal, async () => {
      this.shown = await moduleOf(this.identifier);
      this.context = await this.shown.prepare?.(this.identifier);
      this.samples = [];
      const [overview] = await Promise.all([
        this.shown.overview?.(this.identifier, this.context, this.signal),
        this.read(),
      ]);
      if (this.signal.aborted) return;
      put(this.overview, overview);
      if (this.samples.length === 0) return this.showNone();
      this.all.element.hidden = false;
      const first = this.samples.find(({ uuid }) => uuid === this.chosen) ?? this.samples[0];
      await this.open(this.chosen && first.uuid !== this.chosen ? await this.one(this.chosen) : first);
    });
  }

  one(uuid) {
    return api.read(`samples/${encodeURIComponent(uuid)}`);
  }

  /** Reads the next page of the list. */
  async read() {
    const cursor = this.samples.length > 0 ? this.cursor : undefined;
    const parameters = { type: this.identifier, sort: "-startDate", limit: pageSize, cursor };
    const { samples, nextCursor } = await api.read("samples", parameters);
    if (this.signal.aborted) return;
    const shown = this.samples.length;
    this.samples.push(...samples);
    this.cursor = nextCursor;
    this.list.removeAttribute("aria-busy");
    put(this.list, this.samples.map((sample) => this.row(sample)));
    withdraw(this.more, "hidden", !nextCursor, this.list.children[shown]?.querySelector("a"));
  }

  readMore() {
    return attempt([this.all], this.signal, () => this.read());
  }

  showNone() {
    const link = html("a.button", { href: "#/trends" }, localized("All types"));
    this.list.removeAttribute("aria-busy");
    put(this.list);
    this.all.element.hidden = true;
    this.detail.show(nothingYet(
      localized("No {type} yet", { type: typeName(this.identifier) }),
      localized("Data of this type appears here when it is imported, logged or synced."),
      link,
    ));
  }

  row(sample) {
    const { title, note, value } = this.shown.row(sample, this.context);
    const [day, time] = [date(sample.startDate, "date"), date(sample.startDate, "time")];
    const when = note ?? (title ? `${day}, ${time}` : time);
    const link = {
      href: `${typeAddress(this.identifier)}/${sample.uuid}`,
      "data-record": sample.uuid,
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        history.replaceState(history.state, "", link.href);
        attempt([this.detail], this.signal, () => this.open(sample));
        this.detail.element.scrollIntoView({ block: "nearest" });
      },
    };
    return html(
      "li",
      html("a", link, titled(title ?? day, when), value && html("span.value", value), icon("right", "muted")),
    );
  }

  async open(sample) {
    this.chosen = sample.uuid;
    for (const link of this.list.querySelectorAll("[data-record]")) {
      if (link.dataset.record === sample.uuid) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    const content = await this.shown.details(sample, this.context, this.signal);
    if (this.signal.aborted || this.chosen !== sample.uuid) return;
    const { title } = this.shown.row(sample, this.context);
    const [day, time] = [date(sample.startDate, "date"), date(sample.startDate, "time")];
    this.detail.element.querySelector("h2").lastChild.textContent = title ?? day;
    this.detail.show(
      html("p.muted.record-time", title ? `${day}, ${time}` : time),
      ...[content].flat(),
      generic.facts(sample),
    );
  }
}

export async function render(context) {
  await new RecordScreen(context).start();
}
