// Data: what is in the store and from where; import, export, tokens and devices.

import * as api from "../app/api.js";
import { h, icon, put } from "../app/dom.js";
import { ago, date, number } from "../app/format.js";
import { categories, category, typeBadge, typeName } from "../app/types.js";
import { card, empty, failure, figures, head, liveMark, skeleton } from "../components/cards.js";
import { confirmation, field, openDialog, reject, segmented, select, toast } from "../components/controls.js";
import { ImportBox } from "../components/import-box.js";

const formats = [
  ["zip", "Apple Health archive", "export.zip with export.xml, routes and ECGs: what Health itself exports"],
  ["ndjson", "JSON lines", "One sample a line, with everything the store knows"], ["csv", "CSV", "A table for each type, for spreadsheets"],
  ["fhir", "FHIR R4", "Observations with LOINC codes, for clinical software"], ["sqlite", "SQLite", "The store itself, consistent while it is in use"],
];

export async function render({ main, signal }) {
  const overview = card("In your store", { symbol: "data", className: "wide" }, skeleton("title"));
  const importer = card("Import", { symbol: "upload" }, new ImportBox({ signal, finished: () => loadAll() }).element);
  const exporter = card("Export", { symbol: "download" }, h("ul.list", null, formats.map(([format, name, text]) => h("li", null, h("a", { href: api.address("exports", { format }), download: true },
    h("span.text", null, h("span.title", null, name), h("br"), h("span.detail", null, text)), icon("download", "muted"))))));
  const types = card("Types", { symbol: "other" }, skeleton("line", "line", "line", "line"));
  const sources = card("Sources", { symbol: "phone" }, skeleton("line", "line", "line"));
  const tokens = card("Tokens", { symbol: "key" }, skeleton("line", "line"));
  const devices = card("Devices that sync", { symbol: "phone" }, skeleton("line", "line"));
  put(main, head("Data", { eyebrow: "It stays on your own server", actions: [liveMark()] }),
    h("div.grid", null, overview.element, importer.element, exporter.element, types.element, sources.element, tokens.element, devices.element));

  const attempt = (box, work) => work().catch((error) => {
    if (!signal.aborted && error.name !== "AbortError") box.show(failure(error, () => attempt(box, work)));
  });
  const loadAll = () => Promise.all([
    attempt(types, () => showTypes(types, overview, signal)), attempt(sources, () => showSources(sources, signal)),
    attempt(tokens, () => showTokens(tokens, signal)), attempt(devices, () => showDevices(devices, signal)),
  ]);
  api.live.listen(() => Promise.all([attempt(types, () => showTypes(types, overview, signal)), attempt(sources, () => showSources(sources, signal)), attempt(devices, () => showDevices(devices, signal))]), signal);
  await loadAll();
}

async function showTypes(box, overview, signal) {
  const { types } = await api.read("types");
  if (signal.aborted) return;
  if (!types.length) {
    overview.show(empty("The store is empty", "Import an export of Apple Health, or look around with demo data.", h("a.button", { href: "#/welcome" }, "Get started")));
    box.show(empty("No types yet", "They appear with the first data."));
    return;
  }
  const dates = (member) => types.map((type) => type[member]).filter(Boolean).sort((a, b) => new Date(a) - new Date(b));
  const total = types.reduce((sum, type) => sum + type.count, 0);
  // A goal or a plan may end in the future.
  const latest = dates("endDate").findLast((end) => new Date(end) <= Date.now());
  overview.show(figures([["Samples", number(total)], ["Types", number(types.length)], ["Since", date(dates("startDate")[0], "monthYear")], ["Latest", latest ? ago(latest) : "–"]], "roomy"));
  const sorted = [...types].sort((a, b) => b.count - a.count);
  box.show(h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Types with their counts" }, h("ul.list", null, sorted.map((type) => h("li", null, typeBadge(type.type),
    h("span.text", null, h("span.title", null, typeName(type.type)), h("br"), h("span.detail", null, categories[category(type.type)].name, type.endDate && ` · ${ago(type.endDate)}`)),
    h("span.value", null, number(type.count)))))));
}

async function showSources(box, signal) {
  const { sources } = await api.read("sources");
  if (signal.aborted) return;
  if (!sources.length) {
    box.show(empty("No sources yet", "Apps and devices appear here with their first sample."));
    return;
  }
  box.show(h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Sources with their counts" }, h("ul.list", null, [...sources].sort((a, b) => b.count - a.count).map((source) => h("li", null,
    h("span.text", null, h("span.title", null, source.source), h("br"), h("span.detail", null, source.bundleIdentifier)), h("span.value", null, number(source.count)))))),
  h("p.muted.small", null, "Which source counts where several overlap is set for each type, under ", h("a", { href: "#/trends" }, "Trends"), "."));
}

async function showTokens(box, signal) {
  const { tokens } = await api.request("GET", "/v1/tokens");
  if (signal.aborted) return;
  const again = () => showTokens(box, signal);
  const list = h("ul.list", null, tokens.map((token) => h("li", null, h("span.badge", null, icon("key")),
    h("span.text", null, h("span.title", null, token.name), " ", token.isExpired && h("span.tag", null, "expired"), h("br"), h("span.detail", null, permissions(token)), h("br"),
      h("span.detail", null, token.lastUsed ? `Used ${ago(token.lastUsed)}` : "Never used", token.expires && ` · until ${date(token.expires)}`)),
    h("button.button.quiet.icon-only.small", { type: "button", "aria-label": `Revoke ${token.name}`, onclick: () => confirmation(`Revoke ${token.name}?`, "Whoever uses this token can no longer read or write anything.", "Revoke", async () => {
      await api.request("DELETE", `/v1/tokens/${token.id}`);
      toast(`${token.name} is revoked.`);
      await again();
    }) }, icon("trash")))));
  box.show(tokens.length ? list : empty("No tokens", "A token lets an app or a script read or write the types that you choose, and nothing else."),
    h("div", null, h("button.button", { type: "button", "data-action": "new-token", onclick: () => addToken(again) }, icon("plus"), "New token")));
}

/** What a token may do, in words. */
function permissions(token) {
  if (token.scope === "owner") return token.isReadOnly ? "Reads everything" : "Reads and writes everything";
  if (token.scope === "sync") return "Delivers the data of a device; reads nothing";
  const own = token.permissions.find((permission) => permission.person === api.session.person) ?? token.permissions[0] ?? { read: [], share: [] };
  const list = (types) => (types.length > 3 ? `${number(types.length)} types` : types.map(typeName).join(", "));
  const words = [own.read.length && `Reads ${list(own.read)}`, own.share.length && `writes ${list(own.share)}`].filter(Boolean).join("; ");
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : "May do nothing yet";
}

function addToken(again) {
  const name = h("input", { autocomplete: "off", "data-autofocus": true, placeholder: "Home Assistant" });
  const expiry = select([["", "Never"], ["30", "In 30 days"], ["365", "In a year"]], "");
  let scope = "read-all";
  let types = [];
  const list = h("div.scroll.types", { tabindex: "0", role: "region", "aria-label": "Types" });
  const chooser = h("div.field", { hidden: true }, h("span.label", null, "What it may read and write"), list);
  openDialog("New token", {
    submit: "Make token",
    build: () => [
      field("Name", name, { hint: "The app, script or device that will use it." }),
      h("div.field", null, h("span.label", { "aria-hidden": "true" }, "Access"), segmented("Access", [["read-all", "Read all", "Read all types"], ["types", "Types", "Chosen types"], ["sync", "Device", "A device that syncs"], ["owner", "Owner", "Everything, as the owner"]], scope, (value) => {
        scope = value;
        chooser.hidden = value !== "types";
      })), chooser, field("Expires", expiry),
    ],
    onsubmit: async () => {
      if (!name.value.trim()) return reject(name, "Enter a name.") ?? false;
      const chosen = (kind) => [...list.querySelectorAll(`input[data-kind=${kind}]:checked`)].map((box) => box.value);
      const body = { name: name.value.trim(), scope: ["owner", "sync"].includes(scope) ? scope : "application", people: [api.session.person] };
      if (scope === "read-all") body.read = "all";
      if (scope === "types") Object.assign(body, { read: chosen("read"), share: chosen("share") });
      if (expiry.value) body.expires = `${new Date(Date.now() + Number(expiry.value) * 86400000).toISOString().slice(0, 19)}Z`;
      const token = await api.request("POST", "/v1/tokens", { body });
      setTimeout(() => showSecret(token));
      await again();
      return true;
    },
  });
  api.read("types").then((answer) => {
    types = answer.types.filter((type) => type.isShareable !== false).sort((a, b) => typeName(a.type).localeCompare(typeName(b.type)));
    put(list, h("table.table", null, h("thead", null, h("tr", null, ["Type", "Read", "Write"].map((title) => h("th", { scope: "col" }, title)))), h("tbody", null, types.map((type) => h("tr", null,
      h("td", null, typeName(type.type)), ["read", "share"].map((kind) => h("td", null, h("input", { type: "checkbox", value: type.type, "data-kind": kind, "aria-label": `${kind === "read" ? "Read" : "Write"} ${typeName(type.type)}` }))))))));
  }).catch((error) => put(list, failure(error)));
}

function showSecret(token) {
  openDialog("Copy the token now", {
    build: () => [h("p.muted", null, "It is shown only once; the server keeps no copy."), h("code.code", { id: "new-token" }, token.token),
      h("div", null, h("button.button.primary", { type: "button", onclick: async () => {
        try {
          await navigator.clipboard.writeText(token.token);
          toast("Copied.");
        } catch {
          toast("Select the text and copy it.");
        }
      } }, "Copy"))],
  });
}

async function showDevices(box, signal) {
  const { devices } = await api.read("sync/devices");
  if (signal.aborted) return;
  box.show(devices.length ? h("ul.list", null, devices.map((device) => h("li", null, h("span.badge", null, icon("phone")),
    h("span.text", null, h("span.title", null, device.name), h("br"), h("span.detail", null, `Synced ${ago(device.lastSyncDate)} · since ${date(device.firstSyncDate)}`)),
    h("span.value", null, number(device.added)))))
    : empty("No device syncs yet", "An iPhone with a 30-line app of HealthSync sends new data by itself, and hk sync copies between two stores."));
}
