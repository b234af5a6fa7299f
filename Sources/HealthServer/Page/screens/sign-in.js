// Signing in: with the link that `hk serve` prints, its code, or an owner's token.

import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { field, reject } from "../components/controls.js";

export function render({ main }) {
  const failed = new URLSearchParams(location.search).get("sign-in") === "failed";
  const secret = html("input", {
    type: "password",
    autocomplete: "current-password",
    name: "secret",
    "data-autofocus": true,
  });
  const button = html("button.button.primary", { type: "submit" }, "Sign in");
  const form = html(
    "form.stack",
    {
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        const text = secret.value.trim();
        if (!text) return reject(secret, "Paste the link, the code or a token.");
        button.disabled = true;
        try {
          await api.signIn(text.replace(/^.*[?&]code=([^&#]+).*$/, "$1"));
          history.replaceState(null, "", "/#/today");
          location.reload();
        } catch (error) {
          reject(
            secret,
            error.status === 401 || error.status === 403
              ? "This code or token is unknown, used or expired."
              : error.message,
          );
        } finally {
          button.disabled = false;
        }
        return undefined;
      },
    },
    field("Link, code or token", secret, { hint: "A link works once. Restart hk serve for a new one." }),
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
          html("h1", { tabindex: "-1" }, "Sign in"),
          failed && html("p.notice.bad", { role: "alert" }, "This link was used already, or has expired."),
          html(
            "p.muted",
            "Open the link that ",
            html("code", "hk serve"),
            " printed when it started, or paste it here. An owner’s token works too.",
          ),
          html("p.muted.small", "Make a token on the server’s machine:"),
          html("code.code", "hk token add browser --owner"),
          form,
        ),
      ),
    ),
  );
}
