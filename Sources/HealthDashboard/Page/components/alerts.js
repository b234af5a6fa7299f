// Alerts: what a person wants reported through a webhook or in a browser.

import * as api from "../app/api.js";
import { html, icon } from "../app/dom.js";
import { amount, count, unitName } from "../app/format.js";
import { localized } from "../app/language.js";
import { isCumulative, shortName, typeName } from "../app/types.js";
import { iconButton } from "./cards.js";
import { field, numberInput, readNumber, reject, select } from "./controls.js";
import { openDialog, toast } from "./dialogs.js";

const conditions = () => [
  ["above", localized("A value is above a limit")],
  ["below", localized("A value is below a limit")],
  ["highlight", localized("A highlight appears")],
  ["silence", localized("A source has gone silent")],
];

/** The alerts of a webhook, and a button that adds one. `again()` shows the webhooks anew. */
export const alertsOf = (webhook, again) => [
  webhook.alerts.length > 0 && html("ul.list", webhook.alerts.map((alert) => row(webhook, alert, again))),
  html(
    "div.row",
    html(
      "button.button.small",
      { type: "button", "data-action": "new-alert", onclick: () => addAlert(webhook, again) },
      icon("plus"),
      localized("Tell me when …"),
    ),
  ),
];

const addressOf = (webhook, alert) =>
  api.address(
    ["webhooks", webhook.application, "alerts", ...alert ? [alert.alert] : []].map(encodeURIComponent).join("/"),
  );

function row(webhook, alert, again) {
  const name = alert.alert;
  const remove = async () => {
    try {
      await api.request("DELETE", addressOf(webhook, alert));
      toast(localized("{name} is removed.", { name }));
      await again();
    } catch (error) {
      toast(api.reason(error));
    }
  };
  return html(
    "li",
    { "data-alert": name },
    html("span.grow", name, html("br"), html("span.muted.small", contents(alert))),
    iconButton("trash", localized("Remove {name}", { name }), remove, { class: "quiet" }),
  );
}

/** What an alert tells, in words. */
function contents({ condition, type, limit, unit, source, hours }) {
  if (condition === "highlight") return localized("A highlight appears");
  if (condition === "silence") {
    return `${source} · ${count(hours, "{count} hour without data", "{count} hours without data")}`;
  }
  const what = typeName(shortName(type));
  const value = `${amount(limit, unit, type)} ${unitName(unit, type)}`.trim();
  return condition === "above"
    ? localized("{what} above {value}", { what, value })
    : localized("{what} below {value}", { what, value });
}

async function addAlert(webhook, again) {
  let [types, sources] = [[], []];
  try {
    [{ types }, { sources }] = await Promise.all([api.read("types"), api.read("sources")]);
  } catch (error) {
    toast(api.reason(error));
    return;
  }
  const measured = types.filter((one) => one.kind === "quantity" && !isCumulative(one));
  const name = html("input", { "data-autofocus": true, autocomplete: "off", maxlength: 100 });
  const type = select(measured.map((one) => [one.type, typeName(one.type)]));
  const limit = numberInput({ min: -1e9, max: 1e9 });
  const unit = html("span.unit");
  const source = select(sources.map((one) => [one.bundleIdentifier, one.source]));
  const hours = numberInput({ value: 24, min: 1, max: 8784 });
  const unitOf = () => {
    const chosen = measured.find((one) => one.type === type.value);
    return chosen?.preferredUnit ?? chosen?.unit ?? "";
  };
  const limited = html(
    "div.fields",
    field(localized("Type"), type),
    field(localized("Limit"), html("div.with-unit", limit, unit)),
  );
  const silent = html(
    "div.fields",
    field(localized("Source"), source),
    field(localized("Without data for"), hours, { unit: localized("hours") }),
  );
  const show = () => {
    limited.hidden = !["above", "below"].includes(condition.value);
    silent.hidden = condition.value !== "silence";
    unit.textContent = unitName(unitOf(), type.value);
  };
  const condition = select(conditions(), "above", show);
  const named = { condition, type, limit, source, hours, alert: name };
  for (const [key, control] of Object.entries(named)) control.name = key;
  type.addEventListener("change", show);
  show();
  openDialog(localized("Tell me when …"), {
    submit: localized("Add"),
    build: () => [
      field(localized("When this happens"), condition),
      limited,
      silent,
      field(localized("Name"), name, {
        hint: webhook.isBrowser
          ? localized("What the notification says, such as “High pulse”.")
          : localized("What the call says, such as “High pulse”."),
      }),
      html("p.muted.small", webhook.isBrowser
        ? localized("{name} shows it once, when it happens.", { name: webhook.application })
        : localized("The webhook of {name} is called once, when it happens.", { name: webhook.application })),
    ],
    onsubmit: async () => {
      const body = { alert: name.value.trim(), condition: condition.value };
      if (!limited.hidden) {
        const value = readNumber(limit);
        if (value === undefined) return false;
        const inUnit = unitOf();
        Object.assign(body, { type: type.value, limit: inUnit === "%" ? value / 100 : value, unit: inUnit });
      } else if (!silent.hidden) {
        const value = readNumber(hours);
        if (value === undefined) return false;
        Object.assign(body, { source: source.value, hours: value });
      }
      if (!body.alert || body.alert.includes("/")) return reject(name, localized("Enter a name.")) ?? false;
      await api.request("POST", addressOf(webhook), { body });
      await again();
      return true;
    },
  });
}
