// A report of a period to print or to save as PDF, as for a doctor: the person chooses what is in it.

import { choose } from "../app/address.js";
import * as api from "../app/api.js";
import { addDays, dateIn, dateOf, daysBetween, noon } from "../app/calendar.js";
import { html, icon, put } from "../app/dom.js";
import { date, dateRange } from "../app/format.js";
import { localized } from "../app/language.js";
import { isReported, membersOf, shortName, typeName } from "../app/types.js";
import { attempt, backLink, empty, head, skeleton } from "../components/cards.js";
import { accept, field, reject } from "../components/controls.js";
import { ReportedPerson } from "../components/reported-person.js";
import { shareLink } from "../components/token-forms.js";
import { reportPart } from "../records/report-parts.js";

const usualDays = 90;
const mostDays = 366;
/** What a doctor asks for first, as far as there is data. */
const proposed = [
  "bloodPressure",
  "bodyMass",
  "restingHeartRate",
  "sleepAnalysis",
  "electrocardiogram",
  "stepCount",
  "bloodGlucose",
  "oxygenSaturation",
];

export async function render({ main, chosen: wanted, signal }) {
  const today = dateOf();
  const upTo = (last) => ({ from: addDays(last, 1 - usualDays), to: last });
  let usual = upTo(today);
  const day = (value) => html("input", { type: "date", value, max: today, required: true });
  const [start, end] = [day(dateIn(wanted.from) ?? usual.from), day(dateIn(wanted.to) ?? usual.to)];
  const choices = html("div.choices", { role: "group", "aria-label": localized("Types") }, skeleton("line", "line"));
  const paper = html("section.card.report", { "aria-label": localized("Report"), "aria-live": "polite" });
  const print = html(
    "button.button.primary",
    { type: "button", onclick: () => globalThis.print() },
    icon("print"),
    localized("Print or save as PDF"),
  );
  // The types of the report, once they are known.
  let shared = () => [];
  const share = api.session.isOwner && !api.session.isDemo && html(
    "button.button",
    { type: "button", disabled: true, onclick: () => shareLink(undefined, { read: shared() }) },
    icon("share"),
    localized("Share by link"),
  );
  const person = new ReportedPerson(() => show());
  put(
    main,
    head(localized("Report"), {
      eyebrow: backLink("trends", localized("Trends")),
      actions: [share, print].filter(Boolean),
    }),
    html(
      "div.stack",
      html(
        "section.card.chosen",
        { "aria-label": localized("What is in the report") },
        html("div.pair", field(localized("From"), start), field(localized("To"), end)),
        person.element,
        choices,
      ),
      paper,
    ),
  );
  const [{ types }] = await Promise.all([api.read("types"), person.load()]);
  if (signal.aborted) return;
  person.show();
  const known = types.filter(isReported).sort((one, other) => rank(one) - rank(other) || compareNames(one, other));
  const latest = known.filter(({ endDate }) => endDate).map(({ endDate }) => dateOf(new Date(endDate))).sort().at(-1);
  // Of data that is old, the latest.
  if (latest < usual.from) {
    usual = upTo(latest);
    [start.value, end.value] = [dateIn(wanted.from) ?? usual.from, dateIn(wanted.to) ?? usual.to];
  }
  const isUsual = (type) => rank(type) < proposed.length;
  const isWanted = (type) => wanted.types?.split(" ").includes(shortName(type.type)) ?? isUsual(type);
  const boxes = known.map((type) => ({ type, input: checkbox(isWanted(type)) }));
  put(choices, boxes.map(({ type, input }) => html("label.choice", input, ` ${typeName(type.type)}`)));
  const chosenTypes = () => boxes.filter(({ input }) => input.checked).map(({ type }) => type);
  const all = types.map(({ type }) => type);
  shared = () => chosenTypes().flatMap(({ type }) => [type, ...membersOf(type, all)]);
  if (share) share.disabled = false;
  let run = null;
  const show = async ({ target } = {}) => {
    // The focus stays on the day that is being typed, and either day can end a mistake.
    const changed = target === start ? start : end;
    [start, end].forEach(accept);
    if (!start.value || !end.value) return;
    if (start.value > end.value) {
      reject(changed, localized("The last day is before the first."));
      return;
    }
    if (daysBetween(start.value, end.value) >= mostDays) {
      reject(changed, localized("Choose at most a year."));
      return;
    }
    const own = Symbol("report");
    run = own;
    const chosen = chosenTypes();
    const span = { start: start.value, end: addDays(end.value, 1) };
    choose({
      from: start.value !== usual.from && start.value,
      to: end.value !== usual.to && end.value,
      types: boxes.some(({ type, input }) => input.checked !== isUsual(type)) &&
        (chosen.map(({ type }) => shortName(type)).join(" ") || "none"),
    }, { replaces: true });
    paper.ariaBusy = "true";
    await attempt([{ show: (...parts) => put(paper, ...parts) }], signal, async () => {
      const content = await report(chosen, span, person.text);
      if (!signal.aborted && run === own) put(paper, content);
    });
    if (run === own) paper.ariaBusy = "false";
  };
  for (const input of [start, end, ...boxes.map((box) => box.input)]) input.addEventListener("change", show);
  await show();
}

function rank({ type }) {
  const index = proposed.indexOf(shortName(type));
  return index < 0 ? proposed.length : index;
}

const compareNames = (one, other) => typeName(one.type).localeCompare(typeName(other.type));
const checkbox = (checked) => html("input", { type: "checkbox", checked });

async function report(types, span, person) {
  if (types.length === 0) return empty(localized("Choose what is in the report"));
  const parts = await Promise.all(types.map((type) => reportPart(type, span)));
  const days = dateRange(noon(span.start), noon(addDays(span.end, -1)));
  const title = localized("Health report of {days}", { days });
  // The head of every page.
  const running = [title, person].filter(Boolean).join(" · ");
  for (const part of parts.slice(1)) part.prepend(html("p.running", { "aria-hidden": "true" }, running));
  return [
    html("h2.report-title", title),
    person && html("p.report-person", person),
    html("p.muted.small", localized("Made on {day}", { day: date(noon(dateOf())) })),
    parts,
    html("p.muted.small", localized("Averages are those of all samples of the period; sums are of whole days.")),
  ];
}
