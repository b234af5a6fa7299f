// What screens have in common that page through periods: the period's title, the buttons beside it, and one
// load at a time.

import { html, withdraw } from "../app/dom.js";
import { localized } from "../app/language.js";
import { iconButton } from "./cards.js";

/** A screen of periods; `back` counts them back from the present. A subclass has `load()`, which shows one. */
export class PagedScreen {
  constructor({ main, signal }, state = {}) {
    Object.assign(this, { main, signal, back: 0 }, state);
    this.title = html("h2", { "aria-live": "polite" }, "\u00a0");
    this.earlier = iconButton("left", localized("Earlier"), () => this.page(1));
    this.later = iconButton("right", localized("Later"), () => this.page(-1));
    this.pager = html("div.row.apart", this.title, html("div.row.pager", this.earlier, this.later));
  }

  change(choice) {
    Object.assign(this, choice);
    return this.load();
  }

  page(step) {
    this.change({ back: Math.max(0, this.back + step) });
  }

  /** Shows which period is loaded: all time, the first one with data, or another. Nothing is later than the present. */
  showPeriod(title, { isAll = false, isFirst = false } = {}) {
    this.title.textContent = title;
    this.earlier.disabled = false;
    withdraw(this.later, "disabled", isAll || this.back === 0, this.earlier);
    this.withdrawEarlier(isAll || isFirst);
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
