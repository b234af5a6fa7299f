// Two types over the same time on one chart with two axes, and notes about days.

import * as api from "../app/api.js";
import { dateOf, instant, noon } from "../app/calendar.js";
import { html, put } from "../app/dom.js";
import { date } from "../app/format.js";
import { localized } from "../app/language.js";
import { live } from "../app/live.js";
import { cutText, intervalNames, intervalsOf, openPart, partKey, partLabel, parts, partTitle } from "../app/periods.js";
import { dayAfter, period, periods, periodTitle } from "../app/periods.js";
import { category, isComparable, isCumulative, shortName, typeName } from "../app/types.js";
import { attempt, backLink, card, empty, figures, head, iconButton, liveMark, skeleton } from "../components/cards.js";
import { color, LargeChart } from "../components/charts.js";
import { field, reject, segmented, select } from "../components/controls.js";
import { openDialog, toast } from "../components/dialogs.js";
import { marksOf, readNotes } from "../components/notes.js";
import { PagedScreen } from "../components/paged-screen.js";
import { byPart, QuantitySeries } from "../components/type-series.js";

/** What is shown first, as far as there is data. */
const proposals = ["restingHeartRate", "stepCount", "bodyMass", "heartRateVariabilitySDNN", "activeEnergyBurned"];
const ranges = ["week", "month", "half", "year"];

/** Fetches and shows two types, and remembers what was chosen while the screen is shown. */
class CompareScreen extends PagedScreen {
  constructor({ path: [first, second], chosen, ...context }) {
    const range = ranges.includes(chosen.period) ? chosen.period : "month";
    super({ chosen, ...context }, { wanted: [first, second], range, notes: [] });
    this.chart = new LargeChart();
    this.signal.addEventListener("abort", () => this.chart.destroy());
  }

  async start() {
    this.build();
    const { types } = await api.read("types");
    if (this.signal.aborted) return;
    this.types = types.filter(isComparable)
      .sort((one, other) => typeName(one.type).localeCompare(typeName(other.type)));
    if (this.types.length < 2) {
      put(this.box, empty(localized("Nothing to compare yet"), localized("This requires two types with data.")));
      this.list.element.remove();
      return;
    }
    const find = (name) => this.types.find(({ type }) => type === name || shortName(type) === name);
    const known = [...new Set([...this.wanted, ...proposals].map(find).filter(Boolean)), ...this.types];
    this.chosen = [known[0], known.find((type) => type !== known[0])];
    this.showControls();
    live.listen((changed) => {
      if (changed.size === 0 || this.chosen.some(({ type }) => changed.has(type))) this.load();
    }, this.signal);
    await Promise.all([this.load(), this.loadNotes()]);
  }

  get path() {
    return ["trends", "compare", ...this.chosen.map(({ type }) => type)];
  }

  get choices() {
    return { period: this.range !== "month" && this.range };
  }

  spanAt(day) {
    return period(this.range, day);
  }

  dayAfter(span) {
    return dayAfter(this.range, span);
  }

  /** The last day with data of both types. */
  get latest() {
    return this.chosen.map(({ endDate }) => dateOf(new Date(endDate))).sort()[0];
  }

  build() {
    this.controls = html("div.stack");
    this.summary = html("div.summary", skeleton("title"));
    this.legend = html("ul.legend");
    this.table = html("details.values", html("summary", localized("Table")));
    this.rows = html("div.scroll", { tabindex: "0", role: "region", "aria-label": localized("Values as a table") });
    this.table.append(this.rows);
    this.box = html(
      "section.card.main-chart",
      { "aria-label": localized("Two types on one chart") },
      this.controls,
      this.pager,
      this.note,
      this.summary,
      this.chart.element,
      this.legend,
      this.table,
    );
    const add = html("button.button.small", { type: "button", onclick: () => this.addNote() }, localized("Add a note"));
    this.list = card(localized("Notes"), { symbol: "journal", aside: add }, skeleton("line"));
    put(
      this.main,
      head(localized("Two types"), { eyebrow: backLink("trends", localized("Trends")), actions: [liveMark()] }),
      html("div.stack", this.box, api.session.isOwner && this.list.element),
    );
  }

  showControls() {
    const options = this.types.map(({ type }) => [type, typeName(type)]);
    const choose = (index) => (name) => {
      const type = this.types.find((one) => one.type === name);
      // Choosing the other one swaps them.
      const chosen = type === this.chosen[1 - index] ? this.chosen.toReversed() : this.chosen.with(index, type);
      const shown = this.change({ chosen });
      this.showControls();
      return shown;
    };
    const labels = [localized("First type"), localized("Second type")];
    put(
      this.controls,
      html(
        "div.pair",
        this.chosen.map(({ type }, index) => field(labels[index], select(options, type, choose(index)))),
      ),
      html(
        "div.row",
        segmented(
          localized("Period"),
          ranges.map((name) => [name, periods[name].label, periods[name].name]),
          this.range,
          (range) => this.change({ range }),
        ),
      ),
    );
  }

  async load() {
    const isShown = this.beginLoad();
    const span = this.spanWith(this.latest);
    const interval = intervalsOf(this.range)[0];
    this.showPeriod(periodTitle(span));
    const place = { show: (...content) => put(this.summary, ...content) };
    await attempt([place], this.signal, async () => {
      const answers = await Promise.all(this.chosen.map((type) =>
        api.read("statistics", {
          type: type.type,
          interval,
          start: instant(span.start),
          end: instant(span.end),
          options: isCumulative(type) ? "sum" : "average,min,max",
          summary: true,
        })
      ));
      if (isShown()) this.show(span, interval, answers);
    });
  }

  show(span, interval, answers) {
    const list = parts(span, interval);
    const series = answers.map((answer, index) => {
      const isSum = isCumulative(this.chosen[index]);
      return new QuantitySeries([answer], list, interval, { isSum, isBySource: false });
    });
    const tones = this.chosen.map(({ type }) => category(type));
    // Two types of one category would have one color.
    if (tones[0] === tones[1]) tones[1] = tones[0] === "nutrition" ? "body" : "nutrition";
    const sets = answers.map(({ statistics }, index) => {
      const at = byPart(statistics, interval);
      return {
        kind: "line",
        side: index === 0 ? "left" : "right",
        dash: index === 1,
        name: typeName(this.chosen[index].type),
        tone: `tone-${tones[index]} ${tones[index]}`,
        color: () => color(tones[index]),
        isSum: isCumulative(this.chosen[index]),
        values: list.map((part) => series[index].value(at(part))),
        format: series[index].format,
        axis: series[index].axis,
      };
    });
    const statisticAt = byPart(answers.flatMap(({ statistics }) => statistics), interval);
    const open = span.end > dateOf() ? openPart(list, interval) : -1;
    const titles = list.map((part, index) =>
      [partTitle(part, interval), cutText(statisticAt(part)), index === open && localized("so far")]
        .filter(Boolean).join(" ")
    );
    const isEmpty = series.every((one) => one.isEmpty);
    put(this.summary, isEmpty ? empty(localized("No data in this period")) : this.summaries(series, tones));
    put(
      this.legend,
      sets.map(({ name, tone, dash, side }) =>
        html(
          "li",
          html("span.dot", { class: `${tone} as-${dash ? "dashed" : "line"}` }),
          `${name} (${side === "left" ? localized("left axis") : localized("right axis")})`,
        )
      ),
    );
    put(this.rows, tableOf(titles, sets, localized("Two types")));
    this.span = span;
    this.keys = list.map((part) => partKey(part));
    this.content = {
      labels: list.map((part) => partLabel(part, interval, list.length)),
      // A sum that isn't over would end the line in a dive; the table has it.
      sets: sets.map((set) => (set.isSum && open >= 0 ? { ...set, values: set.values.with(open, null) } : set)),
      title: (index) => titles[index],
      label: localized("{first} and {second}, {period}, {interval}. The table has all the values.", {
        first: sets[0].name,
        second: sets[1].name,
        period: periodTitle(span),
        interval: intervalNames[interval],
      }),
    };
    this.draw();
  }

  summaries(series, tones) {
    const parts = series.map((one, index) =>
      html(
        "div.stack",
        html("h3", { class: tones[index] }, html("span.dot"), ` ${typeName(this.chosen[index].type)}`),
        one.isEmpty ? html("p.muted", localized("No data in this period")) : figures(one.figures()),
      )
    );
    return html("div.pair", parts);
  }

  /** Draws the chart with the notes of its time. */
  draw() {
    if (!this.content) return;
    const types = this.chosen.map(({ type }) => type);
    this.chart.show({ ...this.content, marks: marksOf(this.notes, types, this.keys, this.span) });
  }

  // Notes

  async loadNotes() {
    await attempt([this.list], this.signal, async () => {
      this.showNotes(await readNotes());
    });
  }

  showNotes(notes) {
    if (this.signal.aborted) return;
    this.notes = notes;
    const row = (note) =>
      html(
        "li",
        html(
          "span.text",
          html("span.title", note.text),
          html("br"),
          html(
            "span.detail",
            [date(noon(note.date)), ...note.types.map(typeName)].join(" · "),
          ),
        ),
        iconButton("trash", localized("Delete {name}", { name: note.text }), () => this.deleteNote(note)),
      );
    const text = localized("Write down what may explain a change, such as a new medication.");
    this.list.show(notes.length > 0 ? html("ul.list", [...notes].reverse().map(row)) : html("p.muted", text));
    this.draw();
  }

  addNote() {
    const day = html("input", { type: "date", value: dateOf(), max: "9999-12-31", required: true });
    const text = html("input", { type: "text", maxlength: 200, autocomplete: "off", "data-autofocus": true });
    const all = [["", localized("All charts")], ...this.chosen.map(({ type }) => [type, typeName(type)])];
    const types = select(all, "");
    openDialog(localized("Add a note"), {
      build: () => [
        field(localized("Day"), day),
        field(localized("Note"), text),
        field(localized("Shown with"), types),
      ],
      submit: localized("Save"),
      onsubmit: async () => {
        if (!day.value) return reject(day, localized("Enter a day.")) ?? false;
        if (!text.value.trim()) return reject(text, localized("Enter a note.")) ?? false;
        const body = { date: day.value, text: text.value.trim(), types: types.value ? [types.value] : [] };
        this.showNotes((await api.post("annotations", body)).annotations);
        return true;
      },
    });
  }

  async deleteNote({ id, date: day, text, types }) {
    try {
      await api.erase(`annotations/${id}`);
    } catch (error) {
      toast(api.reason(error));
      return;
    }
    this.showNotes(this.notes.filter((note) => note.id !== id));
    toast(localized("“{name}” is deleted.", { name: text }), {
      action: localized("Undo"),
      onaction: async () => {
        this.showNotes((await api.post("annotations", { date: day, text, types })).annotations);
      },
    });
  }
}

/** The values of several types in columns. */
export function tableOf(titles, sets, caption) {
  const text = ({ format }, value) => (value === null || value === undefined ? "–" : format(value));
  return html(
    "table.table",
    html("caption.sr", caption),
    html(
      "thead",
      html(
        "tr",
        [localized("Time"), ...sets.map(({ name }) => name)].map((name) => html("th", { scope: "col" }, name)),
      ),
    ),
    html(
      "tbody",
      titles.map((title, index) =>
        html("tr", html("td", title), sets.map((set) => html("td", text(set, set.values[index]))))
      ),
    ),
  );
}

export async function render(context) {
  await new CompareScreen(context).start();
}
