// What an assistant's client that wants a token may read, and until when. The server sends the browser here with the
// parameters of the client's request; with the answer, the browser returns to the client.

import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { localized, localizedContent } from "../app/language.js";
import { head } from "../components/cards.js";
import { field, select } from "../components/controls.js";
import { toast } from "../components/dialogs.js";
import { endings, inDays } from "../components/token-forms.js";
import { TypeChooser } from "../components/type-chooser.js";

export async function render({ main, chosen, signal }) {
  if (api.session.isDemo) {
    // The fictional person has no tokens.
    api.leaveDemo();
    location.reload();
    return;
  }
  const url = `/v1/authorization-request?${new URLSearchParams(chosen)}`;
  const asked = await api.request("GET", url, { signal });
  const name = asked.client || asked.host;
  const decide = async (decision) => {
    try {
      const { location: address } = await api.request("POST", url, { body: decision });
      location.replace(address);
    } catch (error) {
      toast(api.reason(error));
    }
  };
  put(
    main,
    head(localized("Connect {name}", { name })),
    html(
      "section.card",
      { "aria-label": localized("Connect {name}", { name }) },
      html("div.stack", explanation(asked, name), asked.error ? mistake(asked, decide) : form(name, decide)),
    ),
  );
}

/** Who asks, as far as the server knows: what a client calls itself proves nothing. */
function explanation({ client, host, isLoopback }, name) {
  const place = html("b", { "data-host": host }, isLoopback ? localized("a program on this device") : host);
  return [
    html("p", localizedContent("{name} wants to read your health data, and to return to {place}.", { name, place })),
    client && html(
      "p.notice",
      localized("Everyone can call themselves {name}. Allow it only if you have just asked for it yourself.", { name }),
    ),
  ];
}

/** A request that can only be refused, with the reason that the client gets. */
function mistake({ host, error }, decide) {
  return [
    html("p.notice.bad", { role: "alert" }, localized("This request can’t be allowed.")),
    html("p.muted.small", { lang: "en" }, error),
    html("div.row", answer("refuse", localized("Return to {host}", { host }), () => decide({ isAllowed: false }))),
  ];
}

function form(name, decide) {
  const expiry = select([...endings(), ["", localized("Never")]], "90");
  const chooser = new TypeChooser(localized("What it may read"), { writes: false });
  const { people, person } = api.session;
  const own = people.find((one) => one.person === person)?.name ?? person;
  const allow = async (event) => {
    event.preventDefault();
    const { read } = chooser.chosen();
    if (read.length === 0) return chooser.reject(localized("Choose some types."));
    const expires = expiry.value ? inDays(Number(expiry.value)) : undefined;
    return decide({ isAllowed: true, person, read, expires });
  };
  return html(
    "form.stack",
    { novalidate: true, onsubmit: allow },
    people.length > 1 && html("p", localized("It will read the data of {name}.", { name: own })),
    chooser.element,
    field(localized("Expires"), expiry, {
      hint: localized("You can change or revoke it before, in Data under Tokens."),
    }),
    html("p.muted.small", localized("What {name} reads is sent to the provider of {name}.", { name })),
    html(
      "div.row",
      html("button.button.primary", { type: "submit", "data-action": "allow" }, localized("Allow")),
      answer("refuse", localized("Refuse"), () => decide({ isAllowed: false })),
    ),
  );
}

function answer(action, label, onclick) {
  return html("button.button", { type: "button", "data-action": action, onclick }, label);
}
