// The reference of the API: what /openapi.json says of each route, and forms in which those that only read are tried.

import { html, put, uniqueID } from "./app/dom.js";

const routes = document.getElementById("routes");
const longestAnswer = 50000;
/** The secret without which the cookie of the session is worth nothing; see app/api.js. */
const secret = localStorage.getItem("session") ?? "";
const sessionFields = secret ? { "X-CSRF-Token": secret } : {};

const read = async (address) => (await fetch(address, { headers: sessionFields })).json();
const [reference, session] = await Promise.all([read("openapi.json"), secret ? read("v1/session") : {}]);
const person = localStorage.getItem("person") ?? session.people?.[0]?.person ?? "me";

/** What a value of the document refers to, or the value. */
const resolved = (value) =>
  value.$ref ? value.$ref.split("/").slice(1).reduce((part, name) => part[name], reference) : value;

// Descriptions

/** A description in Markdown: its paragraphs, lists, tables and examples. */
const prose = (text = "") =>
  text.split(/(```\w*\n[^]*?```)/).flatMap((part) =>
    part.startsWith("```")
      ? html("pre.scroll", { tabindex: 0 }, part.replace(/^```\w*\n|```$/g, ""))
      : part.split(/\n{2,}/).filter((block) => block.trim()).map((block) => blockOf(block.trim()))
  );

function blockOf(text) {
  const items = text.slice(2).split(/\n- /).map((item) => html("li", words(item)));
  if (text.startsWith("- ")) return html("ul.bullets", items);
  if (!text.startsWith("|")) return html("p", words(text));
  const rows = text.split("\n").filter((row) => !/^[|-]+$/.test(row)).map((row) => row.split(/(?<!\\)\|/).slice(1, -1));
  return html("table", html("tbody", rows.map((row) => html("tr", row.map((cell) => html("td", words(cell.trim())))))));
}

/** A text with its code, links and emphasis. */
const words = (text) =>
  text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\)|\*\*[^*]+\*\*)/).map((part) => {
    const [, label, address] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    if (address) return html("a", { href: address }, label);
    if (part.startsWith("**")) return html("b", part.slice(2, -2));
    return part.startsWith("`") ? html("code", part.slice(1, -1).replace("\\|", "|")) : part;
  });

// Routes

function route(path, method, operation, shared) {
  const parameters = [...shared, ...operation.parameters ?? []].map(resolved);
  const formats = Object.keys(operation.responses[200]?.content ?? {}).filter((media) => media !== "text/event-stream");
  const place = html("div.stack");
  const show = () => {
    if (place.hasChildNodes()) return;
    put(place, prose(operation.description), method === "get" && formats[0] && trial(path, parameters, formats));
  };
  const summary = html("summary", html("code", `${method.toUpperCase()} ${path}`), " ", operation.summary);
  return html("details.card", { ontoggle: show }, summary, place);
}

/** The form in which a route is tried. */
function trial(path, parameters, formats) {
  const form = document.getElementById("trial").content.firstElementChild.cloneNode(true);
  const [fields, format, , output] = form.querySelectorAll(".fields, select, button, [aria-live]");
  const own = parameters.filter((one) => one.in !== "header");
  const inputs = own.map(({ name, required, example, description = "" }) => {
    const value = name === "person" ? person : required ? example ?? "" : "";
    const input = html("input", { id: uniqueID(), name, required, value: String(value), placeholder: example });
    const hint = html("span.hint", words(description));
    fields.append(html("div.field", html("label", { for: input.id }, name), input, hint));
    return input;
  });
  put(format, formats.map((media) => html("option", media)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(addressOf(path, inputs), format.value, output);
  });
  return form;
}

function addressOf(path, inputs) {
  const query = new URLSearchParams();
  const filled = inputs.reduce((address, { name, value }) => {
    if (value.trim() && !path.includes(`{${name}}`)) query.set(name, value.trim());
    return address.replace(`{${name}}`, encodeURIComponent(value.trim()));
  }, path);
  return query.size ? `${filled}?${query}` : filled;
}

/** Sends a request with the token, else as the session, and shows it and its answer. */
async function send(address, format, output) {
  const [command, status, text] = output.children;
  const token = document.getElementById("token").value.trim();
  const headers = { Accept: format, ...(token ? { Authorization: `Bearer ${token}` } : sessionFields) };
  const answer = await fetch(address, { headers, credentials: token ? "omit" : "same-origin" });
  const type = answer.headers.get("Content-Type") ?? "";
  const body = await answer.blob();
  const all = /json|csv|text/.test(type) ? await body.text() : "";
  const shown = /json$/.test(type) && !type.includes("ndjson") ? JSON.stringify(JSON.parse(all), null, 2) : all;
  command.textContent = `curl -H "Authorization: Bearer $TOKEN" -H "Accept: ${format}" "${location.origin}${address}"`;
  status.textContent = `${answer.status} · ${type} · ${body.size} B`;
  text.textContent = shown.slice(0, longestAnswer);
  text.hidden = !all;
  output.hidden = false;
}

for (const { name, description } of reference.tags) {
  const found = Object.entries(reference.paths).flatMap(([path, { parameters = [], ...methods }]) =>
    Object.entries(methods).filter(([, { tags }]) => tags[0] === name)
      .map(([method, operation]) => route(path, method, operation, parameters))
  );
  routes.append(html("h2", name), ...prose(description), ...found);
}
routes.removeAttribute("aria-busy");
