// What screens have in common that show a period: its title, the buttons and the date that lead to others, what is
// chosen in the address, and one load at a time.

import { choose } from "../app/address.js";
import { addDays, dateIn, dateOf, daysBetween, noon } from "../app/calendar.js";
import { html, put, withdraw } from "../app/dom.js";
import { date, daysAgo } from "../app/format.js";
import { localized } from "../app/language.js";
import { iconButton } from "./cards.js";

/** The first day that can be chosen. */
export const firstDay = "1900-01-01";

/**
 * A screen of periods. `day` is a day of the shown one, none for the one up to today. A subclass has `load()`, which
 * shows one, `spanAt(day)`, its dates, and `choices`, what its address says besides the day.
 */
export class PagedScreen {
  constructor({ main, chosen, signal }, state = {}) {
    const [day, today] = [dateIn(chosen.date), dateOf()];
    // Nothing is later than the present.
    Object.assign(this, { main, signal, day: day > today ? today : day }, state);
    this.title = html("h2", { "aria-live": "polite" }, "\u00a0");
    // Nothing is earlier or later than what isn't shown yet.
    this.earlier = iconButton("left", localized("Earlier"), () => this.page(-1), { disabled: true });
    this.later = iconButton("right", localized("Later"), () => this.page(1), { disabled: true });
    this.field = html("input.compact", {
      type: "date",
      "aria-label": localized("Go to a date"),
      min: firstDay,
      value: this.day ?? dateOf(),
      onchange: () => this.field.value && this.field.validity.valid && this.go(this.field.value),
    });
    this.pager = html("div.row.apart", this.title, html("div.row.pager", this.field, this.earlier, this.later));
    this.note = html("div.above");
  }

  /** What the address says besides the day. */
  get choices() {
    return {};
  }

  /** The parts of the path of the address, if a choice is one of them. */
  get path() {
    return undefined;
  }

  /** Changes what is chosen, also in the address. */
  change(choice) {
    Object.assign(this, choice);
    choose({ ...this.choices, date: this.day }, { path: this.path });
    return this.load();
  }

  go(day) {
    return this.change({ day });
  }

  page(step) {
    const day = step < 0 ? addDays(this.span.start, -1) : this.dayAfter(this.span);
    return this.go(day >= dateOf() ? this.present : day);
  }

  /** The day that stands for the period up to today, without which the latest data is shown if it is older. */
  get present() {
    return this.isOld ? dateOf() : undefined;
  }

  /** A day of the period after one of as many days. */
  dayAfter({ start, end }) {
    return addDays(end, daysBetween(start, end) - 1);
  }

  /**
   * The dates of the period to show: that of the chosen day, else the one up to today or, if the latest data is older,
   * that of its day.
   */
  spanWith(latest) {
    this.isOld = Boolean(latest) && latest < this.spanAt().start;
    this.span = this.spanAt(this.day ?? (this.isOld ? latest : undefined));
    put(this.note, this.isOld && !this.day && this.latestNotice(latest));
    return this.span;
  }

  /** Says that the latest data is shown instead of the present. */
  latestNotice(latest) {
    const values = { date: date(noon(latest)), ago: daysAgo(latest) };
    const toToday = { type: "button", onclick: () => this.go(dateOf()) };
    const go = html("button.button.small", toToday, localized("Go to today"));
    const text = localized("The latest data is from {date}, {ago}. This is its period.", values);
    return html("p.notice.row.apart", { "data-latest": latest }, html("span", text), go);
  }

  /** Shows which period is loaded: all time, the first one with data, or another. Nothing is later than the present. */
  showPeriod(title, { isAll = false, isFirst = false } = {}) {
    const { start, end } = this.span;
    this.title.textContent = title;
    const today = dateOf();
    this.field.max = today;
    const last = addDays(end, -1);
    const day = this.day >= start && this.day < end ? this.day : last < today ? last : today;
    if (this.field.value !== day) this.field.value = day;
    this.earlier.disabled = false;
    withdraw(this.later, "disabled", isAll || end > today, this.earlier);
    this.withdrawEarlier(isAll || isFirst);
    withdraw(this.field, "disabled", isAll);
  }

  /** Says that nothing is earlier, which a screen may know only from what it has read. */
  withdrawEarlier(isFirst) {
    withdraw(this.earlier, "disabled", isFirst, this.later);
  }

  /** Begins a load. The function that it answers says whether what was read is still to be shown. */
  beginLoad() {
    const run = Symbol("load");
    this.run = run;
    return () => !this.signal.aborted && this.run === run;
  }
}
