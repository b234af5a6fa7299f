// Data: what is in the store and from where; import, export, tokens and devices.

import * as api from "../app/api.js";
import { html, icon, put } from "../app/dom.js";
import { ago, date, number } from "../app/format.js";
import { live } from "../app/live.js";
import { categories, category, typeBadge, typeName } from "../app/types.js";
import { attempt, card, empty, figures, head, liveMark, scrollArea, skeleton, titled } from "../components/cards.js";
import { ImportBox } from "../components/import-box.js";
import { ask, importHistory } from "../components/import-report.js";
import { toast } from "../components/dialogs.js";
import { showTokens } from "../components/tokens.js";

const formats = [
  ["zip", "Apple Health archive", "export.zip with export.xml, routes and ECGs: what Health itself exports"],
  ["ndjson", "JSON lines", "One sample per line, with everything in the store"],
  ["csv", "CSV", "A table for each type, for spreadsheets"],
  ["fhir", "FHIR R4", "Observations with LOINC codes, for clinical software"],
  ["sqlite", "SQLite", "The store itself, consistent while it is in use"],
];

export async function render({ main, signal }) {
  const overview = card("In your store", { symbol: "data", className: "wide" }, skeleton("title"));
  const importBox = new ImportBox({ signal, finished: () => loadAll() });
  const history = html("div.stack");
  const importer = card("Import", { symbol: "upload" }, importBox.element, history);
  const exporter = card("Export", { symbol: "download" }, html("ul.list", formats.map(exportRow)));
  const types = card("Types", { symbol: "other" }, skeleton("line", "line", "line", "line"));
  const sources = card("Sources", { symbol: "phone" }, skeleton("line", "line", "line"));
  const tokens = card("Tokens", { symbol: "key" }, skeleton("line", "line"));
  const devices = card("Devices that sync", { symbol: "phone" }, skeleton("line", "line"));
  const cards = [overview, importer, exporter, types, sources, tokens, devices];
  put(
    main,
    head("Data", { eyebrow: "It stays on your own server", actions: [liveMark()] }),
    html("div.grid", cards.map(({ element }) => element)),
  );
  const loadContents = () =>
    Promise.all([
      attempt([types], signal, () => showTypes(types, overview, signal)),
      attempt([sources], signal, () => showSources(sources, signal)),
      attempt([devices], signal, () => showDevices(devices, signal)),
      attempt([{ show: (...parts) => put(history, ...parts) }], signal, () => showImports(history, importBox, signal)),
    ]);
  const loadAll = () => Promise.all([loadContents(), attempt([tokens], signal, () => showTokens(tokens, signal))]);
  live.listen(loadContents, signal);
  await loadAll();
}

/** Shows the last imports and the questions about those that wait, and follows one that is running. */
async function showImports(place, box, signal) {
  const { imports, history } = await api.request("GET", api.address("imports"));
  if (signal.aborted) return;
  const again = () => showImports(place, box, signal);
  const refused = box.isBusy || box.element.querySelector("[data-import=question]")
    ? []
    : imports.filter(({ remedy }) => remedy);
  put(
    place,
    refused.map((upload) =>
      ask(upload.name ?? "", upload, {
        decided: (next) => {
          box.finish(next);
          again();
        },
        declined: again,
      })
    ),
    importHistory(history),
  );
  const running = imports.find(({ state }) => ["waiting", "importing", "finishing"].includes(state));
  if (running) box.finish(running);
}

function exportRow([format, name, text]) {
  const save = async (event) => {
    event.preventDefault();
    try {
      await api.download(api.address("exports", { format }));
    } catch (error) {
      toast(`The export failed. ${error.message}`);
    }
  };
  const link = { href: api.address("exports", { format }), download: true, onclick: save };
  return html("li", html("a", link, titled(name, text), icon("download", "muted")));
}

// Types

async function showTypes(box, overview, signal) {
  const { types, ...totals } = await api.read("types");
  if (signal.aborted) return;
  if (types.length === 0) {
    const link = html("a.button", { href: "#/welcome" }, "Get started");
    overview.show(
      empty("The store is empty", "Import an export of Apple Health, or look around with demo data.", link),
    );
    box.show(empty("No types yet", "They appear with the first data."));
    return;
  }
  overview.show(figures([
    ["Samples", number(totals.count)],
    ["Types", number(types.length)],
    ["Since", date(totals.startDate, "monthYear")],
    ["Latest", totals.latestDate ? ago(totals.latestDate) : "–"],
  ], "roomy"));
  box.show(scrollArea("Types with their counts", html("ul.list", byCount(types).map(typeRow))));
}

const byCount = (entries) => [...entries].sort((a, b) => b.count - a.count);

function typeRow({ type, count, endDate }) {
  const detail = [categories[category(type)].name, endDate && ago(endDate)].filter(Boolean).join(" · ");
  return html("li", typeBadge(type), titled(typeName(type), detail), html("span.value", number(count)));
}

// Sources and devices

async function showSources(box, signal) {
  const { sources } = await api.read("sources");
  if (signal.aborted) return;
  if (sources.length === 0) {
    box.show(empty("No sources yet", "Apps and devices appear here with their first sample."));
    return;
  }
  const rows = byCount(sources).map(({ source, bundleIdentifier, count }) =>
    html("li", titled(source, bundleIdentifier), html("span.value", number(count)))
  );
  box.show(
    scrollArea("Sources with their counts", html("ul.list", rows)),
    html(
      "p.muted.small",
      "Which source counts where several overlap is set for each type, under ",
      html("a", { href: "#/trends" }, "Trends"),
      ".",
    ),
  );
}

async function showDevices(box, signal) {
  const { devices } = await api.read("sync/devices");
  if (signal.aborted) return;
  const text =
    "An iPhone with a 30-line app of HealthSync sends new data by itself, and hk sync copies between stores.";
  box.show(
    devices.length > 0 ? html("ul.list", devices.map(deviceRow)) : empty("No device syncs yet", text),
  );
}

function deviceRow({ name, lastSyncDate, firstSyncDate, added }) {
  return html(
    "li",
    html("span.badge", icon("phone")),
    titled(name, `Synced ${ago(lastSyncDate)} · since ${date(firstSyncDate)}`),
    html("span.value", number(added)),
  );
}
