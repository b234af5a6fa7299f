// Making and editing tokens and links.

import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { date } from "../app/format.js";
import { localized } from "../app/language.js";
import { typeName } from "../app/types.js";
import { failure, scrollArea } from "./cards.js";
import { field, reject, segmented, select } from "./controls.js";
import { openDialog, toast } from "./dialogs.js";
import { granted } from "./tokens.js";

const millisecondsPerDay = 86400000;

/** An instant some days from now, without fractions of seconds. */
const inDays = (days) => `${new Date(Date.now() + days * millisecondsPerDay).toISOString().slice(0, 19)}Z`;

const nameField = (value = "", placeholder = null) =>
  html("input", { value, autocomplete: "off", "data-autofocus": true, placeholder, maxlength: 100 });

const endings = () => [
  ["1", localized("In a day")],
  ["7", localized("In a week")],
  ["30", localized("In 30 days")],
  ["90", localized("In 90 days")],
  ["365", localized("In a year")],
];

// A new token

export function addToken(again) {
  const name = nameField("", "Home Assistant");
  const expiry = select([["", localized("Never")], ...endings()], "");
  let access = "read-all";
  const choices = [
    ["read-all", localized("Read all"), localized("Read all types")],
    ["types", localized("Types"), localized("Chosen types")],
    ["sync", localized("Device"), localized("A device that syncs")],
    ["owner", localized("Owner"), localized("Everything, as the owner")],
  ];
  const chooser = new TypeChooser(localized("What it may read and write"), { writes: true });
  chooser.element.hidden = true;
  const chooseAccess = (value) => {
    access = value;
    chooser.element.hidden = value !== "types";
  };
  openDialog(localized("New token"), {
    submit: localized("Make token"),
    build: () => [
      field(localized("Name"), name, { hint: localized("The app, script or device that will use it.") }),
      html(
        "div.field",
        html("span.label", { "aria-hidden": "true" }, localized("Access")),
        segmented(localized("Access"), choices, access, chooseAccess),
      ),
      chooser.element,
      field(localized("Expires"), expiry),
    ],
    onsubmit: async () => {
      if (!name.value.trim()) return reject(name, localized("Enter a name.")) ?? false;
      const body = { name: name.value.trim(), scope: "application", people: [api.session.person] };
      if (access === "read-all") body.read = "all";
      else if (access === "types") Object.assign(body, chooser.chosen());
      else body.scope = access;
      if (expiry.value) body.expires = inDays(Number(expiry.value));
      const { token } = await api.request("POST", "/v1/tokens", { body });
      const text = localized("It is shown only once; the server keeps no copy.");
      setTimeout(() => showSecret(localized("Copy the token now"), token, text));
      await again();
      return true;
    },
  });
}

// A link

export function shareLink(again) {
  const name = nameField("", localized("Dr. Berg"));
  const expiry = select(endings(), "7");
  const chooser = new TypeChooser(localized("What it shows"), { writes: false });
  openDialog(localized("Share by link"), {
    submit: localized("Make link"),
    build: () => [
      html(
        "p.muted",
        localized(
          "Everyone with the link can see these types in a browser, but nothing else, and can’t change anything.",
        ),
      ),
      field(localized("For whom"), name, { hint: localized("Only you see this name.") }),
      chooser.element,
      field(localized("Expires"), expiry),
    ],
    onsubmit: async () => {
      if (!name.value.trim()) return reject(name, localized("Enter a name.")) ?? false;
      const { read } = chooser.chosen();
      if (read.length === 0) return chooser.reject(localized("Choose some types."));
      const expires = inDays(Number(expiry.value));
      const body = { name: name.value.trim(), scope: "link", people: [api.session.person], read, expires };
      const { token } = await api.request("POST", "/v1/tokens", { body });
      const text = localized("It works until {date} and is shown only once. You can revoke it at any time.", {
        date: date(expires, "moment"),
      });
      setTimeout(() => showSecret(localized("Copy the link now"), `${location.origin}/#/link/${token}`, text));
      await again();
      return true;
    },
  });
}

/** Shows a secret for the only time. */
export function showSecret(title, secret, text) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast(localized("Copied."));
    } catch {
      toast(localized("Select the text and copy it."));
    }
  };
  openDialog(title, {
    build: () => [
      html("p.muted", text),
      html("code.code", { id: "new-token" }, secret),
      html("div", html("button.button.primary", { type: "button", onclick: copy }, localized("Copy"))),
    ],
  });
}

// Editing

export function editToken(token, again) {
  const name = nameField(token.name);
  const isLink = token.scope === "link";
  const hasTypes = isLink || token.scope === "application";
  const stays = token.expires
    ? localized("As it is: {date}", { date: date(token.expires, "moment") })
    : localized("As it is: never");
  const canBeEndless = token.expires && !isLink;
  const choices = [["", stays], ...(canBeEndless ? [["never", localized("Never")]] : []), ...endings()];
  const expiry = select(choices, "");
  const chooser = hasTypes
    && new TypeChooser(isLink ? localized("What it shows") : localized("What it may read and write"), {
      writes: !isLink,
      ...granted(token),
    });
  openDialog(localized("Edit {name}", { name: token.name }), {
    submit: localized("Save"),
    build: () => [
      field(localized("Name"), name),
      chooser && chooser.element,
      field(localized("Expires"), expiry),
    ],
    onsubmit: async () => {
      if (!name.value.trim()) return reject(name, localized("Enter a name.")) ?? false;
      const body = { name: name.value.trim() };
      if (expiry.value) body.expires = expiry.value === "never" ? null : inDays(Number(expiry.value));
      if (chooser?.isChanged) {
        const { read, share } = chooser.chosen();
        if (isLink && read.length === 0) return chooser.reject(localized("Choose some types."));
        Object.assign(body, isLink ? { read } : { read, share });
      }
      await api.request("PATCH", `/v1/tokens/${token.id}`, { body });
      toast(localized("{name} is changed.", { name: body.name }));
      await again();
      return true;
    },
  });
}

// Types

/** Types to choose: those in the store, and those that were chosen before. */
export class TypeChooser {
  constructor(label, { writes, read = [], share = [] }) {
    this.kinds = writes ? ["read", "share"] : ["read"];
    this.before = { read, share };
    this.isChanged = false;
    this.list = scrollArea(localized("Types"));
    this.list.classList.add("types");
    this.list.addEventListener("change", () => {
      this.isChanged = true;
      this.problem.textContent = "";
    });
    this.problem = html("span.problem", { role: "alert" });
    this.element = html("div.field", html("span.label", label), this.list, this.problem);
    this.load();
  }

  /** The chosen types by kind. */
  chosen() {
    const of = (kind) => [...this.list.querySelectorAll(`input[data-kind=${kind}]:checked`)].map(({ value }) => value);
    return { read: of("read"), share: of("share") };
  }

  reject(message) {
    this.problem.textContent = message;
    this.list.querySelector("input")?.focus();
    return false;
  }

  async load() {
    try {
      const { types } = await api.read("types");
      const isWritable = new Map(types.map(({ type, isShareable }) => [type, isShareable !== false]));
      const known = types.filter(({ type }) => this.kinds.length === 1 || isWritable.get(type)).map(({ type }) => type);
      const all = [...new Set([...known, ...this.before.read, ...this.before.share])];
      const isChosen = (type) => this.kinds.some((kind) => this.before[kind].includes(type));
      const names = all.map((type) => [typeName(type), type])
        .sort(([a, one], [b, other]) => isChosen(other) - isChosen(one) || a.localeCompare(b));
      const verbs = { read: localized("Read"), share: localized("Write") };
      const titles = [localized("Type"), ...this.kinds.map((kind) => verbs[kind])];
      const choice = (kind, name, type) => {
        const label = kind === "read"
          ? localized("Read {name}", { name })
          : localized("Write {name}", { name });
        const input = { type: "checkbox", value: type, "data-kind": kind, "aria-label": label };
        return html("td", html("input", { ...input, checked: this.before[kind].includes(type) }));
      };
      put(
        this.list,
        html(
          "table.table",
          html("thead", html("tr", titles.map((title) => html("th", { scope: "col" }, title)))),
          html(
            "tbody",
            names.map(([name, type]) =>
              html("tr", html("td", name), this.kinds.map((kind) => choice(kind, name, type)))
            ),
          ),
        ),
      );
    } catch (error) {
      put(this.list, failure(error));
    }
  }
}
