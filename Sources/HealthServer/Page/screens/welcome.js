// What an empty store offers: an import, or a person who does not exist to look around with.

import * as api from "../app/api.js";
import { h, put } from "../app/dom.js";
import { head } from "../components/cards.js";
import { ImportBox } from "../components/import-box.js";
import { toast } from "../components/controls.js";

/** Whether the store has nothing at all. */
export async function isEmpty() {
  const { types } = await api.read("types");
  return types.length === 0;
}

export async function render({ main, signal }) {
  const box = new ImportBox({ signal, finished: () => { location.hash = "#/today"; } });
  const button = h("button.button", { type: "button", "data-action": "demo" }, "Look around with demo data");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await box.follow(await api.post("imports/demo", {}));
    } catch (error) {
      toast(error.message);
    } finally {
      button.disabled = false;
    }
  });
  put(main, head("Welcome"), h("div.stack", null,
    h("section.card", { "aria-label": "Import" }, h("h2", null, "Bring your Apple Health data"),
      h("ol.steps", null, h("li", null, "On the iPhone, open Health and tap your picture."), h("li", null, "Choose Export All Health Data, and send the file to this device."), h("li", null, "Drop it here. It stays on your own server.")),
      box.element),
    h("section.card", { "aria-label": "Demo" }, h("h2", null, "Or look around first"),
      h("p.muted", null, "The demo person does not exist. Their data is added to this store."), h("div", null, button)),
    h("p.muted.small", null, "To log by hand, open the ", h("a", { href: "#/journal" }, "journal"), ". For an iPhone that syncs by itself, see Docs/Sync.md.")));
}
