// Making and editing tokens and links.

import * as api from "../app/api.js";
import { addMonths, dateOf, instant } from "../app/calendar.js";
import { html } from "../app/dom.js";
import { date } from "../app/format.js";
import { localized } from "../app/language.js";
import { field, reject, segmented, select } from "./controls.js";
import { copy } from "./copying.js";
import { openDialog, toast } from "./dialogs.js";
import { makeSignInLink } from "./phone.js";
import { TypeChooser } from "./type-chooser.js";

const millisecondsPerDay = 86400000;

/** An instant some days from now, without fractions of seconds. */
export const inDays = (days) => `${new Date(Date.now() + days * millisecondsPerDay).toISOString().slice(0, 19)}Z`;

const nameField = (value = "", placeholder = null) =>
  html("input", { value, autocomplete: "off", "data-autofocus": true, placeholder, maxlength: 100 });

export const endings = () => [
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

/** Makes a link, first with the types of `read`. `again()` runs when there is another link, or one fewer. */
export function shareLink(again = () => {}, { read = [] } = {}) {
  const name = nameField("", localized("Dr. Berg"));
  const expiry = select(endings(), "7");
  const since = select([
    ["", localized("Everything")],
    ["-3", localized("The last 3 months")],
    ["-12", localized("The last year")],
  ], "");
  const chooser = new TypeChooser(localized("What it shows"), { writes: false, previews: true, read });
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
      html("div.pair", field(localized("How far back"), since), field(localized("Expires"), expiry)),
      chooser.preview,
    ],
    onsubmit: async () => {
      if (!name.value.trim()) return reject(name, localized("Enter a name.")) ?? false;
      const { read } = chooser.chosen();
      if (read.length === 0) return chooser.reject(localized("Choose some types."));
      const expires = inDays(Number(expiry.value));
      const body = { name: name.value.trim(), scope: "link", people: [api.session.person], read, expires };
      if (since.value) body.since = instant(addMonths(dateOf(), Number(since.value))).toISOString();
      // The address by which others reach the server, which this browser may call by another name.
      const { server, isReachable } = await makeSignInLink("");
      const { token, id } = await api.request("POST", "/v1/tokens", { body });
      const text = localized("It works until {date} and is shown only once. You can revoke it at any time.", {
        date: date(expires, "moment"),
      });
      const local = localized(
        "It opens on this machine only. For others, start the server with --lan, or behind a proxy with --public-url.",
      );
      const revoke = async () => {
        await api.request("DELETE", `/v1/tokens/${id}`);
        toast(localized("{name} is revoked.", { name: body.name }));
        await again();
      };
      const address = `${server}/#/link/${token}`;
      const said = isReachable ? text : `${text} ${local}`;
      setTimeout(() => showSecret(localized("Copy the link now"), address, said, revoke));
      await again();
      return true;
    },
  });
}

/** Shows a secret for the only time. `revoke()` makes it invalid again. */
export function showSecret(title, secret, text, revoke) {
  const end = (close) => async () => {
    try {
      await revoke();
      close();
    } catch (error) {
      toast(api.reason(error));
    }
  };
  openDialog(title, {
    build: (close) => [
      html("p.muted", text),
      html("code.code", { id: "new-token" }, secret),
      html(
        "div.row",
        html("button.button.primary", { type: "button", onclick: () => copy(secret) }, localized("Copy")),
        revoke && html("button.button", { type: "button", onclick: end(close) }, localized("Revoke")),
      ),
    ],
  });
}

// Editing

/** What a token permits for the person who is shown. */
export function granted(token) {
  const ofPerson = token.permissions.find(({ person }) => person === api.session.person) ?? token.permissions[0];
  return { read: ofPerson?.read ?? [], share: ofPerson?.share ?? [] };
}

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
  const writes = !isLink && !token.isReadOnly;
  const reads = isLink ? localized("What it shows") : localized("What it may read");
  const chooser = hasTypes
    && new TypeChooser(writes ? localized("What it may read and write") : reads, {
      writes,
      previews: isLink,
      ...granted(token),
    });
  openDialog(localized("Edit {name}", { name: token.name }), {
    submit: localized("Save"),
    build: () => [
      field(localized("Name"), name),
      chooser && chooser.element,
      field(localized("Expires"), expiry),
      isLink && chooser.preview,
    ],
    onsubmit: async () => {
      if (!name.value.trim()) return reject(name, localized("Enter a name.")) ?? false;
      const body = { name: name.value.trim() };
      if (expiry.value) body.expires = expiry.value === "never" ? null : inDays(Number(expiry.value));
      if (chooser?.isChanged) {
        const { read, share } = chooser.chosen();
        if (isLink && read.length === 0) return chooser.reject(localized("Choose some types."));
        Object.assign(body, writes ? { read, share } : { read });
      }
      await api.request("PATCH", `/v1/tokens/${token.id}`, { body });
      toast(localized("{name} is changed.", { name: body.name }));
      await again();
      return true;
    },
  });
}
