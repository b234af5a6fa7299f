// The tokens of apps and scripts: which there are, what each may do, and making a new one.

import * as api from "../app/api.js";
import { html, icon, put } from "../app/dom.js";
import { ago, date, number } from "../app/format.js";
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
  const text = "A token lets an app or a script read or write the types that you choose, and nothing else.";
  box.show(
    tokens.length > 0 ? html("ul.list", tokens.map((token) => tokenRow(token, again))) : empty("No tokens", text),
    html(
      "div",
      html(
        "button.button",
        { type: "button", "data-action": "new-token", onclick: () => addToken(again) },
        icon("plus"),
        "New token",
      ),
    ),
  );
}

function tokenRow(token, again) {
  const revoke = async () => {
    await api.request("DELETE", `/v1/tokens/${token.id}`);
    toast(`${token.name} is revoked.`);
    await again();
  };
  const ask = () => {
    const text = "Programs with this token can no longer read or write anything.";
    confirmation(`Revoke ${token.name}?`, text, "Revoke", revoke);
  };
  const use = token.lastUsed ? `Used ${ago(token.lastUsed)}` : "Never used";
  return html(
    "li",
    html("span.badge", icon("key")),
    titled(
      [token.name, token.isExpired && html("span.tag", "expired")],
      permissions(token),
      html("br"),
      token.expires ? `${use} · until ${date(token.expires)}` : use,
    ),
    iconButton("trash", `Revoke ${token.name}`, ask, { class: "quiet" }),
  );
}

/** What a token may do, in words. */
function permissions(token) {
  if (token.scope === "owner") return token.isReadOnly ? "Reads everything" : "Reads and writes everything";
  if (token.scope === "sync") return "Delivers the data of a device; reads nothing";
  const ofPerson = token.permissions.find(({ person }) => person === api.session.person) ?? token.permissions[0];
  const { read = [], share = [] } = ofPerson ?? {};
  const list = (types) => (types.length > 3 ? `${number(types.length)} types` : types.map(typeName).join(", "));
  if (read.length > 0 && share.length > 0) return `Reads ${list(read)}; writes ${list(share)}`;
  if (read.length > 0) return `Reads ${list(read)}`;
  return share.length > 0 ? `Writes ${list(share)}` : "No permissions yet";
}

// A new token

const accessChoices = [
  ["read-all", "Read all", "Read all types"],
  ["types", "Types", "Chosen types"],
  ["sync", "Device", "A device that syncs"],
  ["owner", "Owner", "Everything, as the owner"],
];

function addToken(again) {
  const name = html("input", { autocomplete: "off", "data-autofocus": true, placeholder: "Home Assistant" });
  const expiry = select([["", "Never"], ["30", "In 30 days"], ["365", "In a year"]], "");
  let access = "read-all";
  const list = scrollArea("Types");
  list.classList.add("types");
  const chooser = html("div.field", { hidden: true }, html("span.label", "What it may read and write"), list);
  const chooseAccess = (value) => {
    access = value;
    chooser.hidden = value !== "types";
  };
  openDialog("New token", {
    submit: "Make token",
    build: () => [
      field("Name", name, { hint: "The app, script or device that will use it." }),
      html(
        "div.field",
        html("span.label", { "aria-hidden": "true" }, "Access"),
        segmented("Access", accessChoices, access, chooseAccess),
      ),
      chooser,
      field("Expires", expiry),
    ],
    onsubmit: async () => {
      if (!name.value.trim()) return reject(name, "Enter a name.") ?? false;
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
      .sort(([a], [b]) => a.localeCompare(b));
    const titles = ["Type", "Read", "Write"].map((title) => html("th", { scope: "col" }, title));
    const rows = names.map(([name, type]) =>
      html("tr", html("td", name), choice("read", "Read", name, type), choice("share", "Write", name, type))
    );
    put(list, html("table.table", html("thead", html("tr", titles)), html("tbody", rows)));
  } catch (error) {
    put(list, failure(error));
  }
}

function choice(kind, verb, name, type) {
  const label = `${verb} ${name}`;
  return html("td", html("input", { type: "checkbox", value: type, "data-kind": kind, "aria-label": label }));
}

function showSecret({ token }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(token);
      toast("Copied.");
    } catch {
      toast("Select the text and copy it.");
    }
  };
  openDialog("Copy the token now", {
    build: () => [
      html("p.muted", "It is shown only once; the server keeps no copy."),
      html("code.code", { id: "new-token" }, token),
      html("div", html("button.button.primary", { type: "button", onclick: copy }, "Copy")),
    ],
  });
}
