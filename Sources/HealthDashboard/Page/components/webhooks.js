// Webhooks: what is called when data changes and for alerts, how that went, and making and removing them.

import * as api from "../app/api.js";
import { html, icon } from "../app/dom.js";
import { date, number } from "../app/format.js";
import { localized, plural } from "../app/language.js";
import { typeName } from "../app/types.js";
import { alertsOf } from "./alerts.js";
import { empty, failure, iconButton, scrollArea, titled } from "./cards.js";
import { field, reject, select } from "./controls.js";
import { confirmation, openDialog, toast } from "./dialogs.js";
import { notificationButton, ownURL, unsubscribe } from "./notifications.js";
import { showSecret } from "./token-forms.js";
import { TypeChooser } from "./type-chooser.js";

const frequencies = () => [
  ["immediate", localized("At once")],
  ["hourly", localized("Hourly at most")],
  ["daily", localized("Daily at most")],
  ["weekly", localized("Weekly at most")],
];

const notDelivering = () => localized(
  "Nothing is called now: this server can’t deliver for the store, and “hk daemon” doesn’t run for it.",
);

const addressOf = (webhook, action) =>
  api.address(["webhooks", encodeURIComponent(webhook.application), action].filter(Boolean).join("/"));

/** Shows the webhooks in a card. */
export async function showWebhooks(box, signal) {
  const [answer, own] = await Promise.all([api.request("GET", api.address("webhooks")), ownURL()]);
  if (signal.aborted) return;
  const { webhooks, isDelivering } = answer;
  const again = () => showWebhooks(box, signal);
  // One browser may be registered under two names.
  const isLast = ({ url }) => webhooks.filter((one) => one.url === url).length < 2;
  const text = localized(
    "A webhook is a URL that is called when data of the types that you choose has changed, or for an alert.",
  );
  box.show(
    webhooks.length > 0
      ? html("ul.list", webhooks.map((webhook) => row(webhook, own, again, isLast(webhook))))
      : empty(localized("No webhooks"), text),
    webhooks.length > 0 && isDelivering === false && html("p.notice", notDelivering()),
    html(
      "div.row",
      html(
        "button.button",
        { type: "button", "data-action": "new-webhook", onclick: () => addWebhook(again) },
        icon("plus"),
        localized("New webhook"),
      ),
      notificationButton(answer, again),
    ),
  );
}

function row(webhook, own, again, isLast) {
  const { application: name, url, isBrowser } = webhook;
  const isOwn = isBrowser && url === own;
  const isSuspended = webhook.areAlertsSuspended || webhook.types.some((type) => type.isSuspended);
  const act = (action, message) => async () => {
    try {
      await api.request("POST", addressOf(webhook, action));
      toast(message);
      await again();
    } catch (error) {
      toast(api.reason(error));
    }
  };
  const remove = async () => {
    await api.request("DELETE", addressOf(webhook));
    if (isOwn && isLast) await unsubscribe();
    toast(localized("{name} is removed.", { name }));
    await again();
  };
  const button = (label, longLabel, onclick) =>
    html("button.button.small", { type: "button", "aria-label": longLabel, onclick }, label);
  return html(
    "li",
    { "data-webhook": name },
    html(
      "div.grow.stack",
      titled([name, isSuspended && html("span.tag", localized("suspended"))], ...place(webhook, isOwn)),
      html(
        "div.row",
        button(localized("Send test"), localized("Send a test event to {name}", { name }), () => test(webhook, again)),
        button(localized("Calls"), localized("Calls of {name}", { name }), () => showAttempts(webhook)),
        isSuspended
          ? button(
            localized("Resume"),
            localized("Resume {name}", { name }),
            act("resume", localized("{name} is called again.", { name })),
          )
          : button(
            localized("Suspend"),
            localized("Suspend {name}", { name }),
            act("suspend", localized("{name} isn’t called until you resume it.", { name })),
          ),
      ),
      alertsOf(webhook, again),
    ),
    iconButton(
      "trash",
      localized("Remove {name}", { name }),
      () =>
        confirmation(
          localized("Remove {name}?", { name }),
          isBrowser
            ? localized("It shows no alerts any more, and those that it was to show are removed.")
            : localized("It isn’t called any more, and its key becomes invalid."),
          localized("Remove"),
          remove,
        ),
      { class: "quiet" },
    ),
  );
}

/** Where a webhook is, and what it is called for. */
function place(webhook, isOwn) {
  if (!webhook.isBrowser) return [webhook.url, html("br"), contents(webhook)];
  return [isOwn ? localized("This browser, for alerts") : localized("Another browser, for alerts")];
}

/** What a webhook is called for, in words. */
function contents({ types, includesSamples }) {
  const names = types.length > 3
    ? plural(types.length, "{count} type", "{count} types", { count: number(types.length) })
    : types.map(({ type }) => typeName(type)).join(", ");
  const often = new Map(frequencies()).get(types[0]?.frequency);
  return [names, often, includesSamples && localized("with samples")].filter(Boolean).join(" · ");
}

// Calls

/** Why a URL isn’t one to call, in the page's language. */
const urlProblem = (detail) =>
  /hasn’t allowed/.test(detail)
    ? localized("The URL leads to a private network, which isn’t allowed.")
    : localized("Use a URL such as https://example.org/health.");

/** Why a call failed, in the page's language. */
function reasonText(reason) {
  const status = /status (\d+)$/.exec(reason)?.[1];
  if (status) return localized("The receiver answered with status {status}.", { status });
  if (/hasn’t allowed/.test(reason)) return localized("The URL leads to a private network, which isn’t allowed.");
  if (/can’t be reached/.test(reason)) return localized("The receiver can’t be reached.");
  if (/in time/.test(reason)) return localized("The receiver hasn’t answered in time.");
  if (/subscribed/.test(reason)) return localized("The browser isn’t notified any more. Add it again.");
  return `${reason}.`;
}

async function test(webhook, again) {
  try {
    const { isAcknowledged, reason, isDelivering } = await api.request("POST", addressOf(webhook, "test"));
    const result = isAcknowledged ? localized("The receiver has accepted the test event.") : reasonText(reason);
    toast(isDelivering === false ? `${result} ${notDelivering()}` : result);
    // A browser that isn't subscribed any more is gone.
    if (webhook.isBrowser && !isAcknowledged) await again();
  } catch (error) {
    toast(api.reason(error));
  }
}

/** Opens the log of attempts, which contains nothing about data. */
async function showAttempts(webhook) {
  const place = html("div.stack");
  openDialog(localized("Calls of {name}", { name: webhook.application }), { build: () => place });
  try {
    const { attempts } = await api.request("GET", addressOf(webhook, "attempts"));
    place.append(
      attempts.length > 0
        ? scrollArea(localized("Calls"), html("ul.list", attempts.map(attemptRow)))
        : empty(localized("Not called yet"), localized("Send a test event to see whether the receiver answers.")),
    );
  } catch (error) {
    place.append(failure(error));
  }
}

function attemptRow({ attempt, date: ended, isAcknowledged, reason }) {
  const kind = attempt === 0 ? localized("Test") : localized("Attempt {number}", { number: number(attempt) });
  return html(
    "li",
    { "data-attempt": isAcknowledged ? "acknowledged" : "failed" },
    titled(
      [kind, " ", html("span.tag", isAcknowledged ? localized("accepted") : localized("failed"))],
      [date(ended, "moment"), reason && reasonText(reason)].filter(Boolean).join(" · "),
    ),
  );
}

// A new webhook

function addWebhook(again) {
  const text = { autocomplete: "off", spellcheck: "false" };
  const name = html("input", { ...text, "data-autofocus": true, placeholder: "org.example.site", maxlength: 100 });
  const url = html("input", { ...text, type: "url", placeholder: "https://example.org/health" });
  const often = select(frequencies(), "immediate");
  const chooser = new TypeChooser(localized("What it is called for"), { writes: false });
  const samples = html("input", { type: "checkbox", name: "samples" });
  const isPrivate = html("input", { type: "checkbox", name: "private" });
  openDialog(localized("New webhook"), {
    submit: localized("Register"),
    build: () => [
      field(localized("Name"), name, { hint: localized("The app or site that receives the calls.") }),
      field("URL", url),
      chooser.element,
      field(localized("How often"), often),
      html("label.choice", samples, " ", localized("Send the samples that changed")),
      api.session.isServerOwner
      && html("label.choice", isPrivate, " ", localized("Allow an address of this server’s own network")),
    ],
    onsubmit: async () => {
      if (!name.value.trim()) return reject(name, localized("Enter a name.")) ?? false;
      if (!url.value.trim()) return reject(url, localized("Enter a URL.")) ?? false;
      const types = chooser.chosen().read;
      if (types.length === 0) return chooser.reject(localized("Choose some types."));
      const body = {
        application: name.value.trim(),
        url: url.value.trim(),
        types,
        frequency: often.value,
        includesSamples: samples.checked,
        ...(isPrivate.checked && { allowsPrivateAddresses: true }),
      };
      let secret;
      try {
        ({ secret } = await api.request("POST", api.address("webhooks"), { body }));
      } catch (error) {
        if (!error.detail?.startsWith("url:")) throw error;
        return reject(url, urlProblem(error.detail)) ?? false;
      }
      const why = localized("The receiver verifies with it who calls (Standard Webhooks). It is shown only once.");
      setTimeout(() => showSecret(localized("Copy the key now"), secret, why));
      await again();
      return true;
    },
  });
}
