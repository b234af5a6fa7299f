// Getting data from an iPhone: each way with its steps, the address and a token filled in, and a line that turns
// green when data has arrived.

import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { ago, number } from "../app/format.js";
import { localized, plural } from "../app/language.js";
import { live } from "../app/live.js";
import { attempt, backLink, card, head, skeleton } from "../components/cards.js";
import { copyable } from "../components/copying.js";
import { ImportBox } from "../components/import-box.js";
import { joinCard, makeSignInLink, phoneLinks, phoneWays } from "../components/phone.js";

const millisecondsBetweenLooks = 5000;
const millisecondsPerDay = 86400000;

/** What each way needs: its token, its steps, and the latest data that came by it. */
const ways = {
  export: { steps: exportSteps, latest: latestImport },
  "health-auto-export": {
    token: { name: "Health Auto Export", scope: "owner" },
    steps: autoExportSteps,
    latest: () => latestReport("health-auto-export"),
  },
  shortcuts: {
    token: { name: "Shortcuts", scope: "application", read: [], share: "all" },
    steps: shortcutsSteps,
    latest: () => latestReport("shortcuts"),
  },
  sync: { token: { name: "iPhone", scope: "sync" }, steps: syncSteps, latest: latestSync },
};

export async function render({ main, path: [name], signal }) {
  const way = ways[name];
  const [, , title] = phoneWays.find(([one]) => one === name) ?? [];
  const place = html("div.stack", html("div.card", skeleton("title", "line", "line", "line")));
  const all = localized("Get data from your iPhone");
  put(main, head(title ?? all, { eyebrow: way && backLink("iphone", all) }), place);
  await attempt([{ show: (...parts) => put(place, html("div.card", ...parts)) }], signal, async () => {
    const [link, secret] = await Promise.all([
      makeSignInLink(way ? `iphone/${name}` : "iphone"),
      way?.token && tokenOf(way.token),
    ]);
    if (signal.aborted) return;
    const content = way
      ? [
        arrival(way.latest, signal),
        card(localized("Steps"), {}, way.steps({ server: link.server, secret, signal })).element,
      ]
      : html("div.card", phoneLinks());
    put(place, link.isReachable ? [content, joinCard(link)] : [joinCard(link), content]);
  });
}

// Tokens

/**
 * The secret of a token of this tab, so that loading the page again makes no other; or of a new one, in place of those
 * that an earlier visit made and nothing has used.
 */
async function tokenOf(grant) {
  const people = [api.session.person];
  const key = `token:${people} ${grant.name}`;
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  const { tokens } = await api.request("GET", "/v1/tokens?limit=1000");
  if (tokens.some(({ id }) => id === kept.id)) return kept.token;
  const before = Date.now() - millisecondsPerDay;
  const isUnused = (one) =>
    one.name === grant.name && one.scope === grant.scope && !one.lastUsed && new Date(one.created) < before
    && String(one.people) === String(people);
  await Promise.all(tokens.filter(isUnused).map(({ id }) => api.request("DELETE", `/v1/tokens/${id}`)));
  const { id, token } = await api.request("POST", "/v1/tokens", { body: { ...grant, people } });
  sessionStorage.setItem(key, JSON.stringify({ id, token }));
  return token;
}

// What has arrived

/** A line that says what arrived last: when the store changes, and from time to time for what changes nothing. */
function arrival(latest, signal) {
  const waiting = localized("Waiting for the first data …");
  const line = html("p.arrival", { role: "status", "data-state": "waiting" }, waiting);
  const look = async () => {
    try {
      const found = await latest();
      if (!found || signal.aborted) return;
      const text = found.count > 0
        ? arrived(found)
        : localized("Something arrived, but the server understood nothing of it.");
      if (line.textContent === text) return;
      line.dataset.state = found.count > 0 ? "arrived" : "refused";
      line.textContent = text;
    } catch {
      // The next look says what arrived meanwhile.
    }
  };
  const timer = setInterval(look, millisecondsBetweenLooks);
  signal.addEventListener("abort", () => clearInterval(timer));
  live.listen(look, signal);
  look();
  return line;
}

const arrived = ({ count, date }) =>
  plural(count, "{count} sample arrived {ago}.", "{count} samples arrived {ago}.", {
    count: number(count),
    ago: ago(date),
  });

async function latestImport() {
  const { history } = await api.request("GET", api.address("imports"));
  const last = history.find(({ report }) => report);
  return last && { date: last.date, count: (last.report.added ?? 0) + (last.report.alreadyThere ?? 0) };
}

async function latestReport(format) {
  const { reports } = await api.request("GET", api.address("ingest/report"));
  const last = reports.find((report) => report.format === format);
  const { saved = 0, replaced = 0, alreadyThere = 0, mixed = 0, covered = 0 } = last?.total ?? {};
  return last && { date: last.date, count: saved + replaced + alreadyThere + mixed + covered };
}

async function latestSync() {
  const { devices } = await api.request("GET", api.address("sync/devices"));
  const [last] = devices.toSorted((a, b) => b.lastSyncDate.localeCompare(a.lastSyncDate));
  return last && { date: last.lastSyncDate, count: last.added };
}

// Steps

const steps = (...content) => html("ol.steps", content.map((parts) => html("li", parts)));

function exportSteps({ signal }) {
  const box = new ImportBox({ signal, finished: () => {} });
  return [
    steps(
      localized("On the iPhone, open Health and tap your picture."),
      localized("Choose Export All Health Data. It takes some minutes."),
      localized("Send the file to this device by AirDrop, or choose Save to Files."),
      localized("Drop it here; on the iPhone, choose it from Files."),
    ),
    box.element,
  ];
}

/** The link by which Health Auto Export makes an automation, documented by its maker. */
function automation(url, secret, name, datatype) {
  const settings = {
    name,
    url,
    headers: `Authorization,Bearer ${secret}`,
    format: "json",
    datatype,
    period: "lastsync",
    aggregatedata: "false",
    enabled: "true",
  };
  const query = Object.entries(settings).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return html("a.button", { href: `com.HealthExport://automation?${query.join("&")}` }, name);
}

function autoExportSteps({ server, secret }) {
  const url = server + api.address("ingest/health-auto-export");
  return [
    steps(
      localized("On the iPhone, install Health Auto Export from the App Store, and let it read your data."),
      [
        localized("Open these steps on the iPhone, and tap each link: it makes an automation in the app."),
        html(
          "div.row",
          automation(url, secret, localized("Health metrics"), "healthMetrics"),
          automation(url, secret, localized("Workouts"), "workouts"),
        ),
      ],
      localized("In the app, open each automation and export once by hand. Allow it to use the local network."),
    ),
    html(
      "details",
      html("summary", localized("Without the links")),
      html(
        "div.stack",
        html("p", localized("Add an automation of the type REST API, with the format JSON, this URL and this header.")),
        copyable("URL", url),
        copyable("Authorization", `Bearer ${secret}`),
      ),
    ),
  ];
}

function shortcutsSteps({ server, secret }) {
  const url = server + api.address("ingest/shortcuts");
  return steps(
    localized("In Shortcuts, make a shortcut with Find Health Samples: Type is Heart Rate, Start Date is today."),
    localized("Add Get Details of Health Samples: Value. Name the result Values."),
    localized(
      "Add Get Details of the samples again: Start Date, then Format Date: ISO 8601 with time. Name the result Dates.",
    ),
    [
      localized("Add Get Contents of URL: this URL, the method POST, and this header."),
      copyable("URL", url),
      copyable("Authorization", `Bearer ${secret}`),
    ],
    [
      localized("Set its Request Body to JSON with four text fields:"),
      html(
        "dl.counts",
        [
          ["type", "heartRate"],
          ["unit", "count/min"],
          ["value", localized("the variable Values")],
          ["date", localized("the variable Dates")],
        ].map(([name, value]) => [html("dt", html("code", name)), html("dd", value)]),
      ),
    ],
    localized("Run it. Then have an automation run it at a time of day; nothing is stored twice."),
  );
}

function syncSteps({ server, secret }) {
  const { person } = api.session;
  const code = `server: SyncServer(url: URL(string: "${server}")!, person: "${person}", token: "${secret}")`;
  return steps(
    localized("In Xcode, make an iOS app, add the package OpenHealthKit, and link its product HealthSync."),
    localized("Add the capability HealthKit with background delivery, and the key NSHealthShareUsageDescription."),
    [
      localized("Make a HealthStoreSync with this server. The package’s document on sync has the whole app."),
      copyable("SyncServer", code),
    ],
    localized("Open the app once, and allow the types and the local network."),
  );
}
