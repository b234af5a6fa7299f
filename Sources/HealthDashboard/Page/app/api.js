// Requests to the server, their errors, and the session. The event stream is in live.js.

import { firstWeekday, localized, translated } from "./language.js";

/**
 * An error that the server answered, as in RFC 9457, with its text in the page's language and its `detail` as it is;
 * its `code` is "offline" if the server could not be reached.
 */
class Problem extends Error {
  constructor(status, code, text, detail = "") {
    super(text);
    Object.assign(this, { status, code, detail });
  }
}

/**
 * What an error says to people. Errors of the browser's own have texts for those who write the page, whom the console
 * tells them.
 */
export function reason(error) {
  if (error instanceof Problem || error.constructor === Error) return error.message;
  console.error(error);
  return isUnloaded(error)
    ? localized("A part of the page did not arrive. Check that the server is running, and load the page again.")
    : localized("The page came upon something that it does not know. Load it again; your data is unchanged by this.");
}

/** Whether a module didn't arrive, as the browsers say it. The page must be loaded again for it. */
export const isUnloaded = (error) =>
  error instanceof TypeError && /import(ed|ing)?.*(module|script)/i.test(error.message);

/** Where the secret of the session is kept: unlike a cookie, it never leaves this origin on its own. */
const secretKey = "session";

/**
 * The signed-in session, from `GET /v1/session`, and the person and time zone chosen in this browser. Every request
 * carries `csrfToken`, without which the cookie is worth nothing.
 */
export const session = {
  person: "me",
  people: [],
  csrfToken: localStorage.getItem(secretKey) ?? "",
  timeZone: null,
  isOwner: true,
};

/**
 * Reads who is signed in. Throws `Problem` with status 401 if nobody is.
 */
export async function openSession() {
  await accept(await request("GET", "/v1/session"));
}

/** Calls `handler` when another tab of this browser signs out. */
export function onSignOut(handler) {
  addEventListener("storage", ({ key, newValue }) => key === secretKey && !newValue && handler());
}

/** Ends the session. */
export async function signOut() {
  await request("DELETE", "/v1/session");
  localStorage.removeItem(secretKey);
  sessionStorage.clear();
}

/** Starts a session with the one-time code of a link. */
export async function signInWithCode(code) {
  await accept(await request("POST", "/v1/session", { body: { code } }));
}

/** Starts a session with a one-time code, or else with an owner's token. */
export async function signIn(secret) {
  try {
    await signInWithCode(secret);
  } catch (error) {
    if (error.status !== 401) throw error;
    await accept(await request("POST", "/v1/session", { body: { token: secret } }));
  }
}

/** Starts a session with a password: the person's, or without a person that of the owner of the server. */
export async function signInWithPassword(person, password) {
  await accept(await request("POST", "/v1/session", { body: { password, ...(person && { person }) } }));
}

/** Starts a session that sees what a link shows. */
export async function openLink(secret) {
  await accept(await request("POST", "/v1/session", { body: { link: secret } }));
}

/** The person whom the notification that led here is about, who is shown from now on. */
function personOfAddress() {
  const { pathname, search, hash } = location;
  const person = new URLSearchParams(search).get("person");
  if (person) {
    localStorage.setItem("person", person);
    history.replaceState(history.state, "", pathname + hash);
  }
  return person;
}

async function accept(answer) {
  localStorage.setItem(secretKey, answer.csrfToken ?? "");
  session.csrfToken = answer.csrfToken ?? "";
  const people = answer.people ?? [];
  const wanted = personOfAddress() ?? localStorage.getItem("person");
  // Of many people, the server lists the first only.
  if (wanted && answer.nextCursor && !people.some((one) => one.person === wanted)) {
    people.push(...(await request("GET", `/v1/people?${new URLSearchParams({ people: wanted })}`)).people);
  }
  // A server that only shows a fictional person needs no other one.
  const zoneOfDemo = answer.isOwner && !answer.isDemo && sessionStorage.getItem(demoKey);
  Object.assign(session, {
    people,
    person: zoneOfDemo ? demoPerson : (people.find((one) => one.person === wanted) ?? people[0])?.person ?? "me",
    isDemo: Boolean(zoneOfDemo) || answer.isDemo,
    isOnlyDemo: answer.isDemo,
    hasMorePeople: Boolean(answer.nextCursor),
    isOwner: answer.isOwner,
    isServerOwner: answer.isServerOwner,
    mapTiles: answer.mapTiles,
    mapAttribution: answer.mapAttribution,
    hasPassword: answer.hasPassword,
    linkExpires: answer.linkExpires,
    timeZone: chosenZone(zoneOfDemo || answer.timeZone),
  });
}

/**
 * The time zone of days: the one chosen in Profile, else the server's. If that is UTC or a plain offset, such as
 * GMT+0200, the browser's is used.
 */
function chosenZone(server) {
  session.automaticZone = server && !zoneOfNowhere.test(server) ? server : browserZone();
  const choice = localStorage.getItem("timeZone") ?? "automatic";
  return choice === "automatic" ? session.automaticZone : choice;
}

const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A fictional person beside one's own store, of whom the server keeps nothing. This tab shows it until it is left. */
const demoPerson = "_demo";
const demoKey = "demo";

/** Has the server make the demo, whose person lives in the zone chosen in Profile, else in the browser's. */
export async function enterDemo() {
  const zone = localStorage.getItem("timeZone") ?? "automatic";
  const timeZone = zone === "automatic" ? browserZone() : zone;
  await request("GET", `/v1/people/${demoPerson}/types?${new URLSearchParams({ timeZone })}`);
  sessionStorage.setItem(demoKey, timeZone);
}

/** Has this tab show the own store again. */
export const leaveDemo = () => sessionStorage.removeItem(demoKey);

const zoneOfNowhere = /^(Etc\/)?(UTC|UCT|Universal|Zulu|Greenwich|GMT0?)$|^(GMT|UTC)[+-]\d+$/;

const expired = new EventTarget();

/** Calls `handler` when the server no longer accepts the session. */
export function onSessionExpired(handler) {
  expired.addEventListener("expired", handler);
}

async function problem(response) {
  let body = {};
  try {
    body = await response.json();
  } catch {
    // A response that isn't a problem document, such as a proxy's page.
  }
  return new Problem(
    response.status,
    body.code ?? "unknown",
    translated(body.detail) ?? translated(body.title) ??
      localized("The server answered {status}.", { status: response.status }),
    body.detail,
  );
}

/** Notes that the server has answered, for the page that says since when it doesn't. */
const rememberAnswer = () => localStorage.setItem("answered", Date.now());

/** Sends one request and answers the response; throws `Problem`. */
async function send(method, url, { body, headers = {}, signal } = {}) {
  const all = { Accept: "application/json", ...headers };
  if (session.csrfToken) all["X-CSRF-Token"] = session.csrfToken;
  let payload = body;
  if (body !== undefined && !(body instanceof Blob) && typeof body !== "string") {
    all["Content-Type"] = "application/json";
    payload = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(url, { method, headers: all, body: payload, signal, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "offline", localized("The server cannot be reached. Check that it is running."));
  }
  // These are a proxy's whose server doesn't answer.
  if (![502, 503, 504].includes(response.status)) rememberAnswer();
  if (response.status === 401) expired.dispatchEvent(new Event("expired"));
  if (!response.ok) throw await problem(response);
  return response;
}

/** Sends one request; throws `Problem`. Answers JSON, or nothing for 204. */
export async function request(method, url, options) {
  const response = await send(method, url, options);
  if (response.status === 204) return null;
  const type = response.headers.get("Content-Type") ?? "";
  return type.includes("json") ? response.json() : response.text();
}

/** Saves the answer to a request as a file. A link alone would not carry the session's secret. */
export async function download(url) {
  const response = await send("GET", url, { headers: { Accept: "*/*" } });
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "") ?? [];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name ?? "export";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), millisecondsOfDownload);
}

const millisecondsOfDownload = 60000;

/** The events that the server sends, as `{ event, data, id }`, until it ends the stream; throws `Problem`. */
export async function* events(url, { lastID, signal }) {
  const headers = { Accept: "text/event-stream", ...(lastID && { "Last-Event-ID": lastID }) };
  const { body } = await send("GET", url, { headers, signal });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    rememberAnswer();
    if (done) return;
    const parts = (text + value).split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const lines = part.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line));
      yield Object.fromEntries(lines.filter(Boolean).map(([, name, content]) => [name, content]));
    }
  }
}

/** The address of a resource of the person. */
export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") {
      query.set(key, value instanceof Date ? value.toISOString() : value);
    }
  }
  const text = query.toString();
  return `/v1/people/${encodeURIComponent(session.person)}/${path}${text ? `?${text}` : ""}`;
}

/** Resources whose answers depend on the calendar. */
const calendarResources = new Set([
  "activity-summaries",
  "changes",
  "cycles",
  "electrocardiograms",
  "energy-balance",
  "goals",
  "highlights",
  "samples",
  "series",
  "sleep",
  "statistics",
  "today",
  "trends",
  "types",
  "workouts",
]);
/** Those with weeks, which begin where the person lives as people are used to. */
const weeklyResources = new Set(["statistics", "trends", "workouts/weeks"]);
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const answers = new Map();
const mostAnswers = 200;

/**
 * Reads a resource of the person. Answers are cached until something changes in the store, so that going back to a
 * screen shows it at once.
 */
export function read(path, parameters) {
  const url = address(path, withCalendar(path, parameters));
  return cached(url, () => request("GET", url));
}

/** The rows of a statement of SQL over the person's store, as objects; cached like other answers. */
export function query(statement) {
  const [url, body] = [address("sql"), { query: statement, limit: 10000, timeZone: session.timeZone }];
  return cached(`${url} ${session.timeZone} ${statement}`, async () => {
    const { columns, rows } = await request("POST", url, { body });
    return rows.map((row) => Object.fromEntries(row.map((value, index) => [columns[index], value])));
  });
}

function cached(key, ask) {
  const known = answers.get(key);
  if (known) return known;
  const answer = ask();
  answers.set(key, answer);
  answer.catch(() => answers.delete(key));
  if (answers.size > mostAnswers) answers.delete(answers.keys().next().value);
  return answer;
}

function withCalendar(path, parameters) {
  const usesCalendar = calendarResources.has(path.split("/")[0]);
  if (!usesCalendar || !session.timeZone) return parameters;
  const week = weeklyResources.has(path) && firstWeekday > 1 && { firstWeekday: weekdays[firstWeekday - 1] };
  return { ...parameters, timeZone: session.timeZone, ...week };
}

/** Drops the cached answers. */
export function forget() {
  answers.clear();
}

async function change(method, path, parameters, body) {
  try {
    return await request(method, address(path, withCalendar(path, parameters)), { body });
  } finally {
    forget();
  }
}

/** A random UUID. `crypto.randomUUID` exists only where the page is loaded securely. */
function makeUUID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5").toUpperCase();
}

/** Gives samples and their members UUIDs: sending them twice saves them once, and members can be deleted too. */
export function identified(samples) {
  return samples.map((sample) => ({
    uuid: makeUUID(),
    ...sample,
    ...(sample.objects ? { objects: identified(sample.objects) } : {}),
  }));
}

/** The UUIDs of samples and of their members: as in HealthKit, deleting a correlation does not delete its members. */
export const identities = (samples) => samples.flatMap((sample) => [sample.uuid, ...identities(sample.objects ?? [])]);

/** Saves samples; `allowImplausible` among the parameters takes values that are most likely slips, too. */
export const save = (samples, parameters = {}) => change("POST", "samples", parameters, { samples });
/** Counts what `removeAll` would delete, by type and source. */
export const account = (parameters) => request("DELETE", address("samples", { ...parameters, dryRun: true }));
/** Deletes the samples that the parameters select. */
export const removeAll = (parameters) => change("DELETE", "samples", parameters);
export const remove = (uuids) => change("DELETE", "samples", { uuid: uuids.join(",") });
export const erase = (path) => change("DELETE", path, {});
export const put = (path, body, parameters) => change("PUT", path, parameters, body);
export const patch = (path, body, parameters) => change("PATCH", path, parameters, body);
export const post = (path, body, parameters) => change("POST", path, parameters, body);
