// Signing in: with a password, or with the link that `hk serve` prints, its code, or an owner's token.

import { currentAddress } from "../app/address.js";
import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { localized } from "../app/language.js";
import { field, reject, segmented } from "../components/controls.js";

export function render({ main }) {
  const parameters = new URLSearchParams(location.search);
  const failed = parameters.get("sign-in") === "failed" || parameters.get("link") === "failed";
  const place = html("div.stack");
  const ways = { link: linkForm, password: passwordForm };
  const choose = (way) => put(place, ways[way]());
  const way = failed || localStorage.getItem("way-to-sign-in") !== "password" ? "link" : "password";
  put(
    main,
    html(
      "div.center",
      html(
        "div.card",
        html(
          "div.stack",
          html("img", { src: "icons/icon.svg", width: 64, height: 64, alt: "" }),
          html("h1", { tabindex: "-1" }, localized("Sign in")),
          failed && html(
            "p.notice.bad",
            { role: "alert" },
            localized("This link was used already, or has expired."),
          ),
          segmented(
            localized("Sign in with"),
            [["link", localized("Link or token")], ["password", localized("Password")]],
            way,
            choose,
          ),
          place,
        ),
      ),
    ),
  );
  choose(way);
}

/** A form whose `signIn()` starts the session; `input` is marked if that fails. */
function form(way, input, { signIn, refusal, empty }, ...content) {
  const button = html("button.button.primary", { type: "submit" }, localized("Sign in"));
  const submit = async (event) => {
    event.preventDefault();
    if (!input.value.trim()) return reject(input, empty);
    button.disabled = true;
    try {
      await signIn();
      localStorage.setItem("way-to-sign-in", way);
      history.replaceState(null, "", `/#/${currentAddress().chosen.to ?? "today"}`);
      location.reload();
    } catch (error) {
      reject(input, [401, 403].includes(error.status) ? refusal : api.reason(error));
    } finally {
      button.disabled = false;
    }
    return undefined;
  };
  return html("form.stack", { novalidate: true, onsubmit: submit }, content, button);
}

function linkForm() {
  const secret = html("input", { type: "password", autocomplete: "off", name: "secret", "data-autofocus": true });
  const signIn = () => api.signIn(secret.value.trim().replace(/^.*[?&]code=([^&#]+).*$/, "$1"));
  const options = {
    signIn,
    refusal: localized("This code or token is unknown, used or expired."),
    empty: localized("Paste the link, the code or a token."),
  };
  return form(
    "link",
    secret,
    options,
    html("p.muted", localized("Open the link that the server printed when it started, or paste it here.")),
    field(localized("Link, code or token"), secret, { hint: localized("A link works once.") }),
    html("p.muted.small", localized("Make a new link or a token on the server’s machine:")),
    html("code.code", "hk person link --url …"),
    html("code.code", "hk token add browser --owner"),
  );
}

function passwordForm() {
  const about = { autocomplete: "username", name: "person", autocapitalize: "none", spellcheck: "false" };
  const person = html("input", about);
  const password = html("input", { type: "password", autocomplete: "current-password", name: "password" });
  const options = {
    signIn: () => api.signInWithPassword(person.value.trim(), password.value),
    refusal: localized("The person or the password is wrong."),
    empty: localized("Enter the password."),
  };
  return form(
    "password",
    password,
    options,
    field(localized("Person"), person, { hint: localized("Leave it empty if you own this server.") }),
    field(localized("Password"), password),
    html(
      "p.muted.small",
      localized("You set a password in Profile, or on the server’s machine with hk person password."),
    ),
  );
}
