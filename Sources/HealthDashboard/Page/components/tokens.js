// The tokens of apps, scripts and devices, and the links for the family or a doctor: what each may do.

import * as api from "../app/api.js";
import { html, icon } from "../app/dom.js";
import { ago, date, number } from "../app/format.js";
import { localized, plural } from "../app/language.js";
import { typeName } from "../app/types.js";
import { empty, iconButton, titled } from "./cards.js";
import { confirmation, toast } from "./dialogs.js";
import { addToken, editToken, granted, shareLink } from "./token-forms.js";

/** Shows the tokens in a card. */
export async function showTokens(box, signal) {
  const tokens = [];
  for (let cursor = ""; cursor != null;) {
    const page = await api.request("GET", `/v1/tokens?limit=1000${cursor && `&cursor=${cursor}`}`);
    if (signal.aborted) return;
    tokens.push(...page.tokens);
    cursor = page.nextCursor;
  }
  const again = () => showTokens(box, signal);
  const text = localized(
    "A token lets an app or a script read or write the types that you choose; "
      + "a link shows them to your family or a doctor.",
  );
  const button = (action, symbol, label, open) =>
    html(
      "button.button",
      { type: "button", "data-action": action, onclick: () => open(again) },
      icon(symbol),
      label,
    );
  box.show(
    tokens.length > 0
      ? html("ul.list", tokens.map((token) => tokenRow(token, again)))
      : empty(localized("No tokens and links"), text),
    html(
      "div.row",
      button("new-link", "share", localized("Share by link"), shareLink),
      button("new-token", "plus", localized("New token"), addToken),
      html("a.button", { href: "reference.html" }, icon("document"), localized("API reference")),
    ),
  );
}

function tokenRow(token, again) {
  const { name, scope } = token;
  const revoke = async () => {
    await api.request("DELETE", `/v1/tokens/${token.id}`);
    toast(localized("{name} is revoked.", { name }));
    await again();
  };
  const ask = () => {
    const text = scope === "link"
      ? localized("The link stops working, even where it is open.")
      : localized("Programs with this token can no longer read or write anything.");
    confirmation(localized("Revoke {name}?", { name }), text, localized("Revoke"), revoke);
  };
  const use = token.lastUsed
    ? localized("Used {time}", { time: ago(token.lastUsed) })
    : localized("Never used");
  const until = token.expires && localized("until {date}", { date: date(token.expires) });
  return html(
    "li",
    { "data-scope": scope },
    html("span.badge", icon(scope === "link" ? "share" : "key")),
    titled(
      [name, token.isExpired && html("span.tag", localized("expired"))],
      permissions(token),
      html("br"),
      [use, until].filter(Boolean).join(" · "),
    ),
    iconButton("edit", localized("Edit {name}", { name }), () => editToken(token, again), { class: "quiet" }),
    iconButton("trash", localized("Revoke {name}", { name }), ask, { class: "quiet" }),
  );
}

/** What a token may do, in words. */
function permissions(token) {
  if (token.scope === "owner") {
    return token.isReadOnly ? localized("Reads everything") : localized("Reads and writes everything");
  }
  if (token.scope === "sync") return localized("Delivers the data of a device; reads nothing");
  if (token.scope === "cohort") return localized("Reads figures over many people");
  const { read, share } = granted(token);
  const list = (types) =>
    types.length > 3
      ? plural(types.length, "{count} type", "{count} types", { count: number(types.length) })
      : types.map(typeName).join(", ");
  if (token.scope === "link") return localized("Shows {types} to everyone who has it", { types: list(read) });
  if (read.length > 0 && share.length > 0) {
    return localized("Reads {types}; writes {others}", { types: list(read), others: list(share) });
  }
  if (read.length > 0) return localized("Reads {types}", { types: list(read) });
  return share.length > 0 ? localized("Writes {types}", { types: list(share) }) : localized("No permissions yet");
}
