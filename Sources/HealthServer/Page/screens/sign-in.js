// Signing in: with the link that `hk serve` prints, its code, or an owner's token.

import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { localized } from "../app/language.js";
import { field, reject } from "../components/controls.js";

export function render({ main }) {
  const failed = new URLSearchParams(location.search).get("sign-in") === "failed";
  const secret = html("input", {
    type: "password",
    autocomplete: "current-password",
    name: "secret",
    "data-autofocus": true,
  });
  const button = html("button.button.primary", { type: "submit" }, localized("Sign in"));
  const form = html(
    "form.stack",
    {
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        const text = secret.value.trim();
        if (!text) return reject(secret, localized("Paste the link, the code or a token."));
        button.disabled = true;
        try {
          await api.signIn(text.replace(/^.*[?&]code=([^&#]+).*$/, "$1"));
          history.replaceState(null, "", "/#/today");
          location.reload();
        } catch (error) {
          reject(
            secret,
            error.status === 401 || error.status === 403
              ? localized("This code or token is unknown, used or expired.")
              : error.message,
          );
        } finally {
          button.disabled = false;
        }
        return undefined;
      },
    },
    field(localized("Link, code or token"), secret, {
      hint: localized("A link works once. The server prints a new one when it starts."),
    }),
    button,
  );
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
          failed && html("p.notice.bad", { role: "alert" }, localized("This link was used already, or has expired.")),
          html(
            "p.muted",
            localized(
              "Open the link that the server printed when it started, or paste it here. An owner’s token works too.",
            ),
          ),
          html("p.muted.small", localized("This command makes a token on the server’s machine:")),
          html("code.code", "hk token add browser --owner"),
          form,
        ),
      ),
    ),
  );
}
