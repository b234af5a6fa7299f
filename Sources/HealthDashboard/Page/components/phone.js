// An iPhone that joins: the code that signs it in, and the ways by which its data comes.

import * as api from "../app/api.js";
import { html, icon, svg } from "../app/dom.js";
import { localized } from "../app/language.js";
import { card, titled } from "./cards.js";
import { copyable } from "./copying.js";

/** The ways, each `[name, symbol, title, text]`. */
export const phoneWays = [
  ["export", "upload", localized("Export of Apple Health"), localized("Everything until today, by AirDrop or Files")],
  ["health-auto-export", "phone", "Health Auto Export", localized("New data by itself, by an app of the App Store")],
  ["shortcuts", "journal", localized("Shortcuts on the iPhone"), localized("Some types once a day, by Apple’s app")],
  ["sync", "share", localized("Your own app"), localized("Every change, by about thirty lines of Swift")],
];

/** Links to the steps of each way. */
export function phoneLinks() {
  return html(
    "ul.list",
    { "aria-label": localized("Get data from your iPhone") },
    phoneWays.map(([name, symbol, title, text]) =>
      html(
        "li",
        html(
          "a",
          { href: `#/iphone/${name}` },
          html("span.badge", icon(symbol)),
          titled(title, text),
          icon("right", "muted"),
        ),
      )
    ),
  );
}

/** A card with the links. */
export const phoneCard = () =>
  card(localized("Get data from your iPhone"), { symbol: "phone" }, phoneLinks());

/** A link that signs a phone in and leads it to a screen: `server`, `isReachable`, `link` and `qrCode`. */
export const makeSignInLink = (screen) => api.request("POST", "/v1/sign-in-links", { body: { screen } });

/** A card with the code of a link; one that says what to do if no phone reaches this server; nothing on a phone. */
export function joinCard({ isReachable, link, qrCode }) {
  if (!isReachable) {
    return card(
      localized("Your iPhone can’t reach this server"),
      { symbol: "phone" },
      html("p", localized("It can be reached from this machine only. Stop it, and start it in your own network with:")),
      html("code.code", "hk serve --lan"),
    ).element;
  }
  if (matchMedia("(pointer: coarse)").matches) return null;
  const text = localized("It leads to this page, and signs the iPhone in: once, within an hour.");
  return card(
    localized("Scan it with the iPhone’s camera"),
    { symbol: "phone" },
    qrCode
      ? html("div.row", qrImage(qrCode), html("p.muted.grow", text))
      : [
        html("p.muted", localized("Open this link on the iPhone. A QR code needs libqrencode on the server.")),
        copyable(localized("Link"), link),
      ],
  ).element;
}

/** The image of a QR code, black on white in both themes, with the light border that cameras need. */
function qrImage(rows) {
  const border = 4;
  const size = rows.length + 2 * border;
  const dark = rows.flatMap((row, y) =>
    [...row].map((module, x) => module === "1" ? `M${x + border} ${y + border}h1v1h-1z` : "")
  );
  return svg(
    "svg",
    {
      class: "qr",
      viewBox: `0 0 ${size} ${size}`,
      role: "img",
      "shape-rendering": "crispEdges",
      "aria-label": localized("QR code that signs a phone in"),
    },
    svg("rect", { width: size, height: size, fill: "#fff" }),
    svg("path", { d: dark.join(""), fill: "#000" }),
  );
}
