// Data: what is in the store and from where; import, export, tokens and devices.

import * as api from "../app/api.js";
import { live } from "../app/live.js";
import { html, icon, put } from "../app/dom.js";
import { ago, date, number } from "../app/format.js";
import { categories, category, typeBadge, typeName } from "../app/types.js";
import { card, empty, failure, figures, head, liveMark, skeleton } from "../components/cards.js";
import { field, reject, segmented, select } from "../components/controls.js";
import { confirmation, openDialog, toast } from "../components/dialogs.js";
import { ImportBox } from "../components/import-box.js";

const formats = [
  ["zip", "Apple Health archive", "export.zip with export.xml, routes and ECGs: what Health itself exports"],
  ["ndjson", "JSON lines", "One sample a line, with everything the store knows"],
  ["csv", "CSV", "A table for each type, for spreadsheets"],
  ["fhir", "FHIR R4", "Observations with LOINC codes, for clinical software"],
  ["sqlite", "SQLite", "The store itself, consistent while it is in use"],
];

export async function render({ main, signal }) {
  const overview = card("In your store", { symbol: "data", className: "wide" }, skeleton("title"));
  const importer = card("Import", { symbol: "upload" }, new ImportBox({ signal, finished: () => loadAll() }).element);
  const exporter = card(
    "Export",
    { symbol: "download" },
    html(
      "ul.list",
      formats.map(([format, name, text]) =>
        html(
          "li",
          html(
            "a",
            { href: api.address("exports", { format }), download: true },
            html("span.text", html("span.title", name), html("br"), html("span.detail", text)),
            icon("download", "muted"),
          ),
        )
      ),
    ),
  );
  const types = card("Types", { symbol: "other" }, skeleton("line", "line", "line", "line"));
  const sources = card("Sources", { symbol: "phone" }, skeleton("line", "line", "line"));
  const tokens = card("Tokens", { symbol: "key" }, skeleton("line", "line"));
  const devices = card("Devices that sync", { symbol: "phone" }, skeleton("line", "line"));
  put(
    main,
    head("Data", { eyebrow: "It stays on your own server", actions: [liveMark()] }),
    html(
      "div.grid",
      overview.element,
      importer.element,
      exporter.element,
      types.element,
      sources.element,
      tokens.element,
      devices.element,
    ),
  );

  const attempt = (box, work) =>
    work().catch((error) => {
      if (!signal.aborted && error.name !== "AbortError") box.show(failure(error, () => attempt(box, work)));
    });
  const loadAll = () =>
    Promise.all([
      attempt(types, () => showTypes(types, overview, signal)),
      attempt(sources, () => showSources(sources, signal)),
      attempt(tokens, () => showTokens(tokens, signal)),
      attempt(devices, () => showDevices(devices, signal)),
    ]);
  live.listen(
    () =>
      Promise.all([
        attempt(types, () => showTypes(types, overview, signal)),
        attempt(sources, () => showSources(sources, signal)),
        attempt(devices, () => showDevices(devices, signal)),
      ]),
    signal,
  );
  await loadAll();
}

async function showTypes(box, overview, signal) {
  const { types } = await api.read("types");
  if (signal.aborted) return;
  if (!types.length) {
    overview.show(
      empty(
        "The store is empty",
        "Import an export of Apple Health, or look around with demo data.",
        html("a.button", { href: "#/welcome" }, "Get started"),
      ),
    );
    box.show(empty("No types yet", "They appear with the first data."));
    return;
  }
  const dates = (member) => types.map((type) => type[member]).filter(Boolean).sort((a, b) => new Date(a) - new Date(b));
  const total = types.reduce((sum, type) => sum + type.count, 0);
  // A goal or a plan may end in the future.
  const latest = dates("endDate").findLast((end) => new Date(end) <= Date.now());
  overview.show(
    figures([["Samples", number(total)], ["Types", number(types.length)], [
      "Since",
      date(dates("startDate")[0], "monthYear"),
    ], ["Latest", latest ? ago(latest) : "–"]], "roomy"),
  );
  const sorted = [...types].sort((a, b) => b.count - a.count);
  box.show(
    html(
      "div.scroll",
      { tabindex: "0", role: "region", "aria-label": "Types with their counts" },
      html(
        "ul.list",
        sorted.map((type) =>
          html(
            "li",
            typeBadge(type.type),
            html(
              "span.text",
              html("span.title", typeName(type.type)),
              html("br"),
              html("span.detail", categories[category(type.type)].name, type.endDate && ` · ${ago(type.endDate)}`),
            ),
            html("span.value", number(type.count)),
          )
        ),
      ),
    ),
  );
}

async function showSources(box, signal) {
  const { sources } = await api.read("sources");
  if (signal.aborted) return;
  if (!sources.length) {
    box.show(empty("No sources yet", "Apps and devices appear here with their first sample."));
    return;
  }
  box.show(
    html(
      "div.scroll",
      { tabindex: "0", role: "region", "aria-label": "Sources with their counts" },
      html(
        "ul.list",
        [...sources].sort((a, b) => b.count - a.count).map((source) =>
          html(
            "li",
            html(
              "span.text",
              html("span.title", source.source),
              html("br"),
              html("span.detail", source.bundleIdentifier),
            ),
            html("span.value", number(source.count)),
          )
        ),
      ),
    ),
    html(
      "p.muted.small",
      "Which source counts where several overlap is set for each type, under ",
      html("a", { href: "#/trends" }, "Trends"),
      ".",
    ),
  );
}

async function showTokens(box, signal) {
  const { tokens } = await api.request("GET", "/v1/tokens");
  if (signal.aborted) return;
  const again = () => showTokens(box, signal);
  const list = html(
    "ul.list",
    tokens.map((token) =>
      html(
        "li",
        html("span.badge", icon("key")),
        html(
          "span.text",
          html("span.title", token.name),
          " ",
          token.isExpired && html("span.tag", "expired"),
          html("br"),
          html("span.detail", permissions(token)),
          html("br"),
          html(
            "span.detail",
            token.lastUsed ? `Used ${ago(token.lastUsed)}` : "Never used",
            token.expires && ` · until ${date(token.expires)}`,
          ),
        ),
        html("button.button.quiet.icon-only.small", {
          type: "button",
          "aria-label": `Revoke ${token.name}`,
          onclick: () =>
            confirmation(
              `Revoke ${token.name}?`,
              "Whoever uses this token can no longer read or write anything.",
              "Revoke",
              async () => {
                await api.request("DELETE", `/v1/tokens/${token.id}`);
                toast(`${token.name} is revoked.`);
                await again();
              },
            ),
        }, icon("trash")),
      )
    ),
  );
  box.show(
    tokens.length ? list : empty(
      "No tokens",
      "A token lets an app or a script read or write the types that you choose, and nothing else.",
    ),
    html(
      "div",
      html(
        "button.button",
        {
          type: "button",
          "data-action": "new-token",
          onclick: () => addToken(again),
        },
        icon("plus"),
        "New token",
      ),
    ),
  );
}

/** What a token may do, in words. */
function permissions(token) {
  if (token.scope === "owner") return token.isReadOnly ? "Reads everything" : "Reads and writes everything";
  if (token.scope === "sync") return "Delivers the data of a device; reads nothing";
  const own = token.permissions.find((permission) => permission.person === api.session.person) ??
    token.permissions[0] ?? { read: [], share: [] };
  const list = (types) => (types.length > 3 ? `${number(types.length)} types` : types.map(typeName).join(", "));
  const words = [own.read.length && `Reads ${list(own.read)}`, own.share.length && `writes ${list(own.share)}`].filter(
    Boolean,
  ).join("; ");
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : "May do nothing yet";
}

function addToken(again) {
  const name = html("input", { autocomplete: "off", "data-autofocus": true, placeholder: "Home Assistant" });
  const expiry = select([["", "Never"], ["30", "In 30 days"], ["365", "In a year"]], "");
  let scope = "read-all";
  let types = [];
  const list = html("div.scroll.types", { tabindex: "0", role: "region", "aria-label": "Types" });
  const chooser = html("div.field", { hidden: true }, html("span.label", "What it may read and write"), list);
  openDialog("New token", {
    submit: "Make token",
    build: () => [
      field("Name", name, { hint: "The app, script or device that will use it." }),
      html(
        "div.field",
        html("span.label", { "aria-hidden": "true" }, "Access"),
        segmented(
          "Access",
          [["read-all", "Read all", "Read all types"], ["types", "Types", "Chosen types"], [
            "sync",
            "Device",
            "A device that syncs",
          ], ["owner", "Owner", "Everything, as the owner"]],
          scope,
          (value) => {
            scope = value;
            chooser.hidden = value !== "types";
          },
        ),
      ),
      chooser,
      field("Expires", expiry),
    ],
    onsubmit: async () => {
      if (!name.value.trim()) return reject(name, "Enter a name.") ?? false;
      const chosen = (kind) => [...list.querySelectorAll(`input[data-kind=${kind}]:checked`)].map((box) => box.value);
      const body = {
        name: name.value.trim(),
        scope: ["owner", "sync"].includes(scope) ? scope : "application",
        people: [api.session.person],
      };
      if (scope === "read-all") body.read = "all";
      if (scope === "types") Object.assign(body, { read: chosen("read"), share: chosen("share") });
      if (expiry.value) {
        body.expires = `${new Date(Date.now() + Number(expiry.value) * 86400000).toISOString().slice(0, 19)}Z`;
      }
      const token = await api.request("POST", "/v1/tokens", { body });
      setTimeout(() => showSecret(token));
      await again();
      return true;
    },
  });
  api.read("types").then((answer) => {
    types = answer.types.filter((type) => type.isShareable !== false).sort((a, b) =>
      typeName(a.type).localeCompare(typeName(b.type))
    );
    put(
      list,
      html(
        "table.table",
        html("thead", html("tr", ["Type", "Read", "Write"].map((title) => html("th", { scope: "col" }, title)))),
        html(
          "tbody",
          types.map((type) =>
            html(
              "tr",
              html("td", typeName(type.type)),
              ["read", "share"].map((kind) =>
                html(
                  "td",
                  html("input", {
                    type: "checkbox",
                    value: type.type,
                    "data-kind": kind,
                    "aria-label": `${kind === "read" ? "Read" : "Write"} ${typeName(type.type)}`,
                  }),
                )
              ),
            )
          ),
        ),
      ),
    );
  }).catch((error) => put(list, failure(error)));
}

function showSecret(token) {
  openDialog("Copy the token now", {
    build: () => [
      html("p.muted", "It is shown only once; the server keeps no copy."),
      html("code.code", { id: "new-token" }, token.token),
      html(
        "div",
        html("button.button.primary", {
          type: "button",
          onclick: async () => {
            try {
              await navigator.clipboard.writeText(token.token);
              toast("Copied.");
            } catch {
              toast("Select the text and copy it.");
            }
          },
        }, "Copy"),
      ),
    ],
  });
}

async function showDevices(box, signal) {
  const { devices } = await api.read("sync/devices");
  if (signal.aborted) return;
  box.show(
    devices.length
      ? html(
        "ul.list",
        devices.map((device) =>
          html(
            "li",
            html("span.badge", icon("phone")),
            html(
              "span.text",
              html("span.title", device.name),
              html("br"),
              html("span.detail", `Synced ${ago(device.lastSyncDate)} · since ${date(device.firstSyncDate)}`),
            ),
            html("span.value", number(device.added)),
          )
        ),
      )
      : empty(
        "No device syncs yet",
        "An iPhone with a 30-line app of HealthSync sends new data by itself, and hk sync copies between two stores.",
      ),
  );
}
