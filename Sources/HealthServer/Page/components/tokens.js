// The tokens of apps and scripts: which there are, what each may do, and making a new one.

import * as api from "../app/api.js";
import { html, icon, put } from "../app/dom.js";
import { ago, count, date } from "../app/format.js";
import { locale, localized } from "../app/language.js";
import { typeName } from "../app/types.js";
import { empty, failure, iconButton, scrollArea, titled } from "./cards.js";
import { field, reject, segmented, select } from "./controls.js";
import { confirmation, openDialog, toast } from "./dialogs.js";

const millisecondsPerDay = 86400000;

/** Shows the tokens in a card. */
export async function showTokens(box, signal) {
  const { tokens } = await api.request("GET", "/v1/tokens");
  if (signal.aborted) return;
  const again = () => showTokens(box, signal);
  const text = localized(
    "A token lets an app or a script read or write the types that you choose, and nothing else.",
  );
  box.show(
    tokens.length > 0
      ? html("ul.list", tokens.map((token) => tokenRow(token, again)))
      : empty(localized("No tokens"), text),
    html(
      "div",
      html(
        "button.button",
        { type: "button", "data-action": "new-token", onclick: () => addToken(again) },
        icon("plus"),
        localized("New token"),
      ),
    ),
  );
}

function tokenRow(token, again) {
  const revoke = async () => {
    await api.request("DELETE", `/v1/tokens/${token.id}`);
    toast(localized("{name} is revoked.", token));
    await again();
  };
  const ask = () => {
    const text = localized("Programs with this token can no longer read or write anything.");
    confirmation(localized("Revoke {name}?", token), text, localized("Revoke"), revoke);
  };
  const use = token.lastUsed ? localized("Used {ago}", { ago: ago(token.lastUsed) }) : localized("Never used");
  return html(
    "li",
    html("span.badge", icon("key")),
    titled(
      [token.name, token.isExpired && html("span.tag", localized("expired"))],
      permissions(token),
      html("br"),
      token.expires ? `${use} · ${localized("until {date}", { date: date(token.expires) })}` : use,
    ),
    iconButton("trash", localized("Revoke {name}", token), ask, { class: "quiet" }),
  );
}

/** What a token may do, in words. */
function permissions(token) {
  if (token.scope === "owner") {
    return token.isReadOnly ? localized("Reads everything") : localized("Reads and writes everything");
  }
  if (token.scope === "sync") return localized("Delivers the data of a device; reads nothing");
  const ofPerson = token.permissions.find(({ person }) => person === api.session.person) ?? token.permissions[0];
  const { read = [], share = [] } = ofPerson ?? {};
  const list = (types) =>
    types.length > 3 ? count(types.length, "{count} type", "{count} types") : types.map(typeName).join(", ");
  if (read.length > 0 && share.length > 0) {
    return localized("Reads {read}; writes {share}", { read: list(read), share: list(share) });
  }
  if (read.length > 0) return localized("Reads {types}", { types: list(read) });
  return share.length > 0 ? localized("Writes {types}", { types: list(share) }) : localized("No permissions yet");
}

// A new token

const accessChoices = [
  ["read-all", localized("Read all"), localized("Read all types")],
  ["types", localized("Types"), localized("Chosen types")],
  ["sync", localized("Device"), localized("A device that syncs")],
  ["owner", localized("Owner"), localized("Everything, as the owner")],
];

function addToken(again) {
  const name = html("input", { autocomplete: "off", "data-autofocus": true, placeholder: "Home Assistant" });
  const expiries = [["", localized("Never")], ["30", localized("In 30 days")], ["365", localized("In a year")]];
  const expiry = select(expiries, "");
  let access = "read-all";
  const list = scrollArea(localized("Types"));
  list.classList.add("types");
  const chooserTitle = html("span.label", localized("What it may read and write"));
  const chooser = html("div.field", { hidden: true }, chooserTitle, list);
  const chooseAccess = (value) => {
    access = value;
    chooser.hidden = value !== "types";
  };
  openDialog(localized("New token"), {
    submit: localized("Make token"),
    build: () => [
      field(localized("Name"), name, { hint: localized("The app, script or device that will use it.") }),
      html(
        "div.field",
        html("span.label", { "aria-hidden": "true" }, localized("Access")),
        segmented(localized("Access"), accessChoices, access, chooseAccess),
      ),
      chooser,
      field(localized("Expires"), expiry),
    ],
    onsubmit: async () => {
      if (!name.value.trim()) return reject(name, localized("Enter a name.")) ?? false;
      const body = tokenRequest(name.value.trim(), access, list, Number(expiry.value));
      const token = await api.request("POST", "/v1/tokens", { body });
      setTimeout(() => showSecret(token));
      await again();
      return true;
    },
  });
  showChoices(list);
}

function tokenRequest(name, access, list, days) {
  const chosen = (kind) => [...list.querySelectorAll(`input[data-kind=${kind}]:checked`)].map(({ value }) => value);
  const body = { name, scope: "application", people: [api.session.person] };
  if (access === "read-all") body.read = "all";
  else if (access === "types") Object.assign(body, { read: chosen("read"), share: chosen("share") });
  else body.scope = access;
  const expires = new Date(Date.now() + days * millisecondsPerDay);
  if (days > 0) body.expires = `${expires.toISOString().slice(0, 19)}Z`;
  return body;
}

async function showChoices(list) {
  try {
    const { types } = await api.read("types");
    const names = types.filter(({ isShareable }) => isShareable !== false)
      .map(({ type }) => [typeName(type), type])
      .sort(([a], [b]) => a.localeCompare(b, locale));
    const columns = [localized("Type"), localized("Read"), localized("Write")];
    const titles = columns.map((title) => html("th", { scope: "col" }, title));
    const rows = names.map(([name, type]) =>
      html(
        "tr",
        html("td", name),
        choice("read", localized("Read {type}", { type: name }), type),
        choice("share", localized("Write {type}", { type: name }), type),
      )
    );
    put(list, html("table.table", html("thead", html("tr", titles)), html("tbody", rows)));
  } catch (error) {
    put(list, failure(error));
  }
}

function choice(kind, label, type) {
  return html("td", html("input", { type: "checkbox", value: type, "data-kind": kind, "aria-label": label }));
}

function showSecret({ token }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(token);
      toast(localized("Copied."));
    } catch {
      toast(localized("Select the text and copy it."));
    }
  };
  openDialog(localized("Copy the token now"), {
    build: () => [
      html("p.muted", localized("It is shown only once; the server keeps no copy.")),
      html("code.code", { id: "new-token" }, token),
      html("div", html("button.button.primary", { type: "button", onclick: copy }, localized("Copy"))),
    ],
  });
}
