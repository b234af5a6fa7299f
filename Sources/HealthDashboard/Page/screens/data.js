// Data: what is in the store and from where; import, export, tokens, webhooks and devices.

import * as api from "../app/api.js";
import { html, icon, put } from "../app/dom.js";
import { ago, date, number } from "../app/format.js";
import { localized, localizedContent } from "../app/language.js";
import { live } from "../app/live.js";
import { categories, category, typeAddress, typeBadge, typeName } from "../app/types.js";
import { attempt, card, empty, figures, foldedList, head, iconButton } from "../components/cards.js";
import { liveMark, skeleton, titled } from "../components/cards.js";
import { askToDeleteAll } from "../components/deletion.js";
import { ImportBox } from "../components/import-box.js";
import { ask, importHistory } from "../components/import-report.js";
import { toast } from "../components/dialogs.js";
import { phoneCard } from "../components/phone.js";
import { showTokens } from "../components/tokens.js";
import { showWebhooks } from "../components/webhooks.js";

const formats = [
  ["zip", localized("Apple Health archive"), localized("export.zip with routes and ECGs: what Health itself exports")],
  ["ndjson", localized("JSON lines"), localized("One sample per line, with everything in the store")],
  ["csv", "CSV", localized("A table for each type, for spreadsheets")],
  ["fhir", "FHIR R4", localized("Observations with LOINC codes, for clinical software")],
  ["sqlite", "SQLite", localized("The store itself, consistent while it is in use")],
];

export async function render({ main, signal }) {
  const overview = card(localized("In your store"), { symbol: "data", className: "wide" }, skeleton("title"));
  const importBox = new ImportBox({ signal, finished: () => loadAll() });
  const history = html("div.stack");
  const importer = card(localized("Import"), { symbol: "upload" }, importBox.element, history);
  const exporter = card(localized("Export"), { symbol: "download" }, html("ul.list", formats.map(exportRow)));
  const types = card(localized("Types"), { symbol: "other" }, skeleton("line", "line", "line", "line"));
  const sources = card(localized("Sources"), { symbol: "phone" }, skeleton("line", "line", "line"));
  const tokens = card(localized("Tokens"), { symbol: "key" }, skeleton("line", "line"));
  const webhooks = card(localized("Webhooks"), { symbol: "share" }, skeleton("line"));
  const devices = card(localized("Devices that sync"), { symbol: "phone" }, skeleton("line", "line"));
  // Nothing reaches a demo from elsewhere, and no other session sees it.
  const { isDemo } = api.session;
  const own = isDemo ? [] : [tokens, webhooks, devices];
  const cards = [overview, ...(isDemo ? [] : [importer, phoneCard()]), exporter, types, sources, ...own];
  put(
    main,
    head(localized("Data"), { eyebrow: localized("It stays on your own server"), actions: [liveMark()] }),
    html("div.grid", cards.map(({ element }) => element)),
  );
  const placeOfHistory = { show: (...parts) => put(history, ...parts) };
  const loadContents = () =>
    Promise.all([
      attempt([types], signal, () => showTypes(types, overview, signal)),
      attempt([sources], signal, () => showSources(sources, signal)),
      isDemo || attempt([devices], signal, () => showDevices(devices, signal)),
      isDemo || attempt([placeOfHistory], signal, () => showImports(history, importBox, signal)),
    ]);
  const loadAll = () =>
    Promise.all([
      loadContents(),
      isDemo || attempt([tokens], signal, () => showTokens(tokens, signal)),
      isDemo || attempt([webhooks], signal, () => showWebhooks(webhooks, signal)),
    ]);
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
    importHistory(history, again),
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
      toast(localized("The export failed. {reason}", { reason: api.reason(error) }));
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
    const link = html("a.button", { href: "#/welcome" }, localized("Get started"));
    overview.show(
      empty(
        localized("The store is empty"),
        localized("Import an export of Apple Health, or look around with demo data."),
        link,
      ),
    );
    box.show(empty(localized("No types yet"), localized("They appear with the first data.")));
    return;
  }
  overview.show(figures([
    [localized("Samples"), number(totals.count)],
    [localized("Types"), number(types.length)],
    [localized("Since"), date(totals.startDate, "monthYear")],
    [localized("Latest"), totals.latestDate ? ago(totals.latestDate) : "–"],
  ], "roomy"));
  box.show(foldedList(localized("Types with their counts"), byCount(types).map(typeRow)));
}

const byCount = (entries) => [...entries].sort((a, b) => b.count - a.count);

function typeRow({ type, count, endDate }) {
  const detail = [categories[category(type)].name, endDate && ago(endDate)].filter(Boolean).join(" · ");
  const link = html("a", { href: typeAddress(type) }, typeBadge(type), titled(typeName(type), detail));
  link.append(html("span.value", number(count)), icon("right", "muted"));
  return html("li", link);
}

// Sources and devices

async function showSources(box, signal) {
  const { sources } = await api.read("sources");
  if (signal.aborted) return;
  if (sources.length === 0) {
    box.show(empty(localized("No sources yet"), localized("Apps and devices appear here with their first sample.")));
    return;
  }
  const rows = byCount(sources).map(sourceRow);
  box.show(
    foldedList(localized("Sources with their counts"), rows),
    html(
      "p.muted.small",
      localizedContent("Which source counts where several overlap is set for each type, under {trends}.", {
        trends: html("a", { href: "#/trends" }, localized("Trends")),
      }),
    ),
  );
}

/** A source, all of whose data its owner can delete. */
function sourceRow({ source, bundleIdentifier, count }) {
  const remove = () =>
    askToDeleteAll(localized("Delete all data of {source}?", { source }), {
      source: bundleIdentifier.replaceAll(",", "\\,"),
    });
  return html(
    "li",
    { "data-source": bundleIdentifier },
    html("span.text", html("span.title", source)),
    html("span.value", number(count)),
    iconButton("trash", localized("Delete all data of {source}", { source }), remove, { class: "quiet" }),
  );
}

async function showDevices(box, signal) {
  const { devices } = await api.read("sync/devices");
  if (signal.aborted) return;
  const text = localized("An iPhone with a small app sends new data by itself.");
  box.show(
    devices.length > 0 ? html("ul.list", devices.map(deviceRow)) : empty(localized("No device syncs yet"), text),
  );
}

function deviceRow({ name, lastSyncDate, firstSyncDate, added }) {
  return html(
    "li",
    html("span.badge", icon("phone")),
    titled(name, localized("Synced {ago} · since {date}", { ago: ago(lastSyncDate), date: date(firstSyncDate) })),
    html("span.value", number(added)),
  );
}
