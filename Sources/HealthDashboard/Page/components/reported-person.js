// Whose report it is: the name and the date of birth, which are asked for once and may be left out.

import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { noon } from "../app/calendar.js";
import { date } from "../app/format.js";
import { localized } from "../app/language.js";
import { characteristicField } from "./characteristics.js";
import { field } from "./controls.js";
import { toast } from "./dialogs.js";

/** Where this browser remembers that they are left out. */
const key = "anonymousReport";

export class ReportedPerson {
  /** `changed()` runs when the text is another one. */
  constructor(changed) {
    this.changed = changed;
    this.fields = html("div.pair");
    this.box = html("input", { type: "checkbox", checked: !localStorage.getItem(key), name: "person" });
    this.box.addEventListener("change", () => {
      if (this.box.checked) localStorage.removeItem(key);
      else localStorage.setItem(key, "yes");
      this.show();
      changed();
    });
    this.element = html(
      "div.stack",
      html("label.choice", this.box, ` ${localized("With name and date of birth")}`),
      this.fields,
    );
    // The name has its place before the date of birth is known, so that nothing moves.
    this.show();
  }

  /** The person as the API has it; a new store's has no name. */
  get person() {
    return api.session.people.find(({ person }) => person === api.session.person);
  }

  get name() {
    const { name, person } = this.person ?? {};
    return name === person && name === "me" ? "" : name ?? "";
  }

  /** The name and the date of birth, as far as they are known and not left out. */
  get text() {
    if (!this.box.checked) return "";
    const { dateOfBirth: day } = this;
    return [this.name, day && localized("born {date}", { date: date(noon(day)) })].filter(Boolean).join(", ");
  }

  async load() {
    ({ dateOfBirth: this.dateOfBirth } = await api.read("characteristics"));
    this.isLoaded = true;
  }

  /** Asks the owner for what isn't known. */
  show() {
    const asks = this.box.checked && api.session.isOwner;
    const birth = asks && this.isLoaded && !this.dateOfBirth && characteristicField("dateOfBirth", {}, async () => {
      api.forget();
      ({ dateOfBirth: this.dateOfBirth } = await api.read("characteristics"));
      this.changed();
    });
    put(this.fields, asks && !this.name && this.nameField(), birth);
    this.fields.hidden = !this.fields.firstChild;
  }

  nameField() {
    const input = html("input", { autocomplete: "name", maxlength: 100, name: "personName" });
    input.addEventListener("change", async () => {
      const name = input.value.trim();
      if (!name) return;
      try {
        const { person } = this.person;
        const changed = await api.request("PATCH", `/v1/people/${encodeURIComponent(person)}`, { body: { name } });
        api.session.people = api.session.people.map((one) => one.person === person ? changed : one);
        this.changed();
      } catch (error) {
        toast(api.reason(error));
      }
    });
    return field(localized("Name"), input, { hint: localized("It is kept on this server, as your name in Profile.") });
  }
}
