// What an empty store offers: an import, or a fictional person to look around with.

import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { localized, localizedContent } from "../app/language.js";
import { head } from "../components/cards.js";
import { ImportBox } from "../components/import-box.js";
import { toast } from "../components/dialogs.js";
import { phoneCard } from "../components/phone.js";

export async function render({ main, signal }) {
  const box = new ImportBox({
    signal,
    finished: ({ isAdded }) => {
      if (isAdded) location.hash = "#/today";
    },
  });
  const button = html(
    "button.button",
    { type: "button", "data-action": "demo" },
    localized("Look around with demo data"),
  );
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.textContent = localized("The demo is being made …");
    try {
      await api.enterDemo();
      location.hash = "#/today";
      location.reload();
    } catch (error) {
      toast(api.reason(error));
      button.textContent = localized("Look around with demo data");
      button.disabled = false;
    }
  });
  put(
    main,
    head(localized("Welcome")),
    html(
      "div.stack",
      html(
        "section.card",
        { "aria-label": localized("Import") },
        html("h2", localized("Import your Apple Health data")),
        html(
          "ol.steps",
          html("li", localized("On the iPhone, open Health and tap your picture.")),
          html("li", localized("Choose Export All Health Data, and send the file to this device.")),
          html("li", localized("Drop it here. It stays on your own server.")),
        ),
        box.element,
      ),
      phoneCard().element,
      html(
        "section.card",
        { "aria-label": localized("Demo") },
        html("h2", localized("Or look around first")),
        html(
          "p.muted",
          localized("A fictional person with half a year of data, beside your own store: nothing is stored."),
        ),
        html("div", button),
      ),
      html(
        "p.muted.small",
        localizedContent("To log by hand, open the {journal}.", {
          journal: html("a", { href: "#/journal" }, localized("journal")),
        }),
      ),
    ),
  );
}
