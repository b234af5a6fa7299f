// Symptoms over time: a row for each one, a field for each day or week, darker the worse it was.

import * as api from "../app/api.js";
import { addDays, dateOf, instant, noon, startOfWeek } from "../app/calendar.js";
import { html, put } from "../app/dom.js";
import { date, dateRange, number } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { category, typeAddress, typeName, valueName } from "../app/types.js";
import { attempt, backLink, head, liveMark, nothingYet, skeleton } from "../components/cards.js";
import { segmented } from "../components/controls.js";
import { PagedScreen } from "../components/paged-screen.js";

const spans = [["28", localized("4 weeks")], ["182", localized("6 months")]];
const usualSpan = "28";
/** How bad a value of HealthKit is: not present, mild, moderate, severe; without a severity, as a mild one. */
const severities = { notPresent: 0, mild: 1, moderate: 2, severe: 3 };
const words = ["notPresent", "mild", "moderate", "severe"].map(valueName);
const without = 1;

const severity = ({ valueName: name }) => severities[name] ?? without;

class SymptomScreen extends PagedScreen {
  constructor(context) {
    const { period } = context.chosen;
    super(context, { days: Number(spans.some(([days]) => days === period) ? period : usualSpan) });
    this.place = html("div", skeleton("line", "line", "line"));
  }

  async start() {
    const legend = words.map((word, level) => html("li", html(`span.field.level-${level}`), word));
    put(
      this.main,
      head(localized("Symptoms"), { eyebrow: backLink("trends", localized("Trends")), actions: [liveMark()] }),
      html(
        "section.card.symptoms.main-chart",
        { "aria-label": localized("Symptoms over time") },
        html(
          "div.row.apart",
          segmented(localized("Period"), spans, String(this.days), (days) => this.change({ days: Number(days) })),
        ),
        this.pager,
        this.note,
        this.place,
        html("ul.legend", legend),
      ),
    );
    live.listen((types) => {
      if (types.size === 0 || [...types].some((type) => category(type) === "symptoms")) this.load();
    }, this.signal);
    await this.load();
  }

  get choices() {
    return { period: String(this.days) !== usualSpan && this.days };
  }

  /** By what the period is divided, and its days. */
  get division() {
    return this.days > 60 ? ["week", 7] : ["day", 1];
  }

  spanAt(day = dateOf()) {
    const [interval, step] = this.division;
    const end = addDays(interval === "week" ? startOfWeek(day) : day, step);
    return { start: addDays(end, -this.days), end };
  }

  async load() {
    const isShown = this.beginLoad();
    const [interval, step] = this.division;
    await attempt([{ show: (...parts) => put(this.place, ...parts) }], this.signal, async () => {
      const { types } = await api.read("types");
      if (!isShown()) return;
      const symptoms = types.filter(({ type, kind }) => kind === "category" && category(type) === "symptoms");
      const { start, end } = this.spanWith(symptoms.map(({ endDate }) => dateOf(new Date(endDate))).sort().at(-1));
      this.showPeriod(dateRange(noon(start), noon(addDays(end, -1))));
      const within = { interval, start: instant(start), end: instant(end) };
      const answers = await Promise.all(symptoms.map(({ type }) => api.read("statistics", { type, ...within })));
      if (!isShown()) return;
      const first = symptoms.map(({ startDate }) => dateOf(new Date(startDate))).sort()[0];
      this.withdrawEarlier(!first || start <= first);
      const parts = Array.from({ length: this.days / step }, (_, index) => addDays(start, index * step));
      this.show(answers.filter(({ statistics }) => statistics.length > 0), parts, step);
    });
  }

  show(answers, parts, step) {
    if (answers.length === 0) {
      const text = localized("Symptoms are logged in the journal, or come from an import.");
      put(this.place, nothingYet(localized("No symptoms in this period"), text));
      return;
    }
    const sorted = [...answers].sort((a, b) => typeName(a.type).localeCompare(typeName(b.type)));
    const name = (part) =>
      step === 1 ? date(noon(part), "weekdayDay") : dateRange(noon(part), noon(addDays(part, 6)), "short");
    const every = Math.ceil(parts.length / 7);
    const heads = parts.map((part, index) =>
      html("th", { scope: "col" }, html("span.sr", name(part)),
        html("span", { "aria-hidden": "true" }, index % every === 0 ? date(noon(part), "short") : ""))
    );
    put(
      this.place,
      html(
        "div.scroll.heat",
        { tabindex: "0", role: "region", "aria-label": localized("Symptoms by severity") },
        html(
          "table",
          html("caption.sr", localized("The worst severity of each symptom")),
          html("thead", html("tr", html("td"), heads)),
          html("tbody", sorted.map((answer) => this.row(answer, parts, name))),
        ),
      ),
    );
    // Where there is little room, the latest days are in it.
    this.place.firstChild.scrollLeft = this.place.firstChild.scrollWidth;
  }

  row({ type, statistics }, parts, name) {
    const byDate = new Map(statistics.map((one) => [dateOf(new Date(one.startDate)), one.values ?? []]));
    const cells = parts.map((part) => {
      const values = byDate.get(part) ?? [];
      if (values.length === 0) return html("td", html("span.sr", "–"));
      const worst = values.reduce((a, b) => severity(b) > severity(a) ? b : a);
      const times = values.reduce((sum, { count }) => sum + count, 0);
      const said = `${name(part)}: ${valueName(worst.valueName)}${times > 1 ? ` (${number(times)}×)` : ""}`;
      return html("td", html(`span.field.level-${severity(worst)}`, { title: said }, html("span.sr", said)));
    });
    return html("tr", html("th", { scope: "row" }, html("a", { href: typeAddress(type) }, typeName(type))), cells);
  }
}

export async function render(context) {
  await new SymptomScreen(context).start();
}
