// The columns of a table that the server doesn't know: the person checks what the server proposes, and sees what is
// read. The mapping is sent with the table, and kept in this browser for the next one with the same columns.

import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { localized } from "../app/language.js";
import { types } from "../app/GENERATED-types.js";
import { shortName, typeName } from "../app/types.js";
import { scrollArea } from "./cards.js";
import { field, reject, select } from "./controls.js";
import { openDialog } from "./dialogs.js";

const bytesOfPreview = 65536;

/** Whether a file is a table whose columns can be said. */
export const isTable = ({ name }) => /\.(csv|tsv)$/i.test(name);

/** Asks what the columns of a table are; `accept` gets the file to import, the table with its mapping. */
export async function mapColumns(file, accept) {
  const { columns, rows, mapping: proposed } = await propose(file);
  const key = `mapping:${columns.join("|")}`;
  const mapping = { ...proposed, ...JSON.parse(localStorage.getItem(key)) };
  const { preferredUnits } = await api.request("GET", api.address("preferred-units", { types: Object.keys(types) }));
  const names = Object.keys(preferredUnits).map((type) => [shortName(type), typeName(type)])
    .sort(([, a], [, b]) => a.localeCompare(b));
  const units = Object.fromEntries(Object.entries(preferredUnits).map(([type, unit]) => [shortName(type), unit]));
  const isColumn = ({ column, where }) => columns.includes(column) && !where;
  // What is of several columns stays as it is proposed.
  const composed = mapping.samples.filter((one) => !isColumn(one));
  const taken = columnsOf(composed);
  const format = ["iso8601", "written"];
  const times = [mapping.time, ...columns.map((column) => ({ column, format }))].filter(Boolean);
  const nameOf = (time) => columnsOf(time).join(", ");
  const time = select([...new Set(times.map(nameOf))].map((name) => [name, name]), nameOf(times[0]), () => show());
  const chosenTime = () => times.find((one) => nameOf(one) === time.value);
  const preview = scrollArea(localized("Preview"));
  const choices = columns.filter((column) => column && !taken.includes(column)).map((column) => {
    const known = mapping.samples.find((one) => isColumn(one) && one.column === column) ?? { column };
    const label = localized("Unit of {column}", { column });
    const input = html("input", { value: known.unit ?? "", autocomplete: "off", "aria-label": label });
    const chooser = select([["", localized("Leave out")], ...names], known.type ?? "", (value) => {
      input.value = units[value] ?? "";
      show();
    });
    chooser.setAttribute("aria-label", localized("Type of {column}", { column }));
    input.addEventListener("input", show);
    return { known, column, chooser, input };
  });
  const isTime = (column) => columnsOf(chosenTime()).includes(column);
  const chosen = () => [
    ...composed,
    ...choices.filter(({ column, chooser }) => chooser.value && !isTime(column)).map((one) => ({
      ...(one.chooser.value === one.known.type ? one.known : { type: one.chooser.value, column: one.column }),
      unit: one.input.value || undefined,
    })),
  ];
  function show() {
    for (const { column, chooser, input } of choices) {
      chooser.disabled = isTime(column);
      input.disabled = chooser.disabled || !chooser.value;
    }
    const shown = [chosenTime(), ...chosen()];
    const cell = (row, one) => {
      const unit = typeof one.unit === "string" ? one.unit : "";
      return [...columnsOf(one).map((name) => row[columns.indexOf(name)]), unit].join(" ").trim();
    };
    const heads = shown.map((one) => html("th", { scope: "col" }, one.type ? typeName(one.type) : nameOf(one)));
    const body = rows.map((row) => html("tr", shown.map((one) => html("td", cell(row, one)))));
    put(preview, html("table.table", html("thead", html("tr", heads)), html("tbody", body)));
  }
  openDialog(localized("What are the columns of {name}?", { name: file.name }), {
    submit: localized("Import"),
    build: () => [
      field(localized("Date and time"), time),
      html(
        "table.table",
        html("thead", html("tr", [localized("Column"), localized("Type"), localized("Unit")].map((name) =>
          html("th", { scope: "col" }, name)
        ))),
        html(
          "tbody",
          choices.map(({ column, chooser, input }) =>
            html("tr", html("td", column), html("td", chooser), html("td", input))
          ),
        ),
      ),
      preview,
    ],
    onsubmit: () => {
      const decided = { time: chosenTime(), samples: chosen() };
      if (decided.samples.length === 0) return reject(choices[0].chooser, localized("Choose some types.")) ?? false;
      localStorage.setItem(key, JSON.stringify(decided));
      const used = columnsOf([decided, mapping.end]);
      const leftOut = columns.filter((name) => name && !used.includes(name)).map((name) => [name, name]);
      const whole = JSON.stringify({ ...mapping, ...decided, leftOut: Object.fromEntries(leftOut) });
      accept(archive(file.name, [file, new File([whole], "columns.json")]));
      return true;
    },
  });
  show();
}

/** The columns, first rows and mapping that the server finds in a table. */
async function propose(file) {
  const start = file.slice(0, bytesOfPreview);
  // The last row of a part may be incomplete.
  const end = new Uint8Array(await start.arrayBuffer()).lastIndexOf(10) + 1;
  const body = start.size < file.size ? start.slice(0, end) : start;
  return api.request("POST", api.address("imports/proposal", { name: file.name }), { body });
}

/** The names of columns in a part of a mapping. */
function columnsOf(part) {
  if (!(part instanceof Object)) return [];
  return Object.entries(part).flatMap(([name, inner]) => {
    if (name === "column" || name === "columns") return inner;
    return name === "where" ? Object.keys(inner) : columnsOf(inner);
  });
}

/** A tar archive (ustar) of files, which are not copied. */
function archive(name, files) {
  const encoder = new TextEncoder();
  const parts = files.flatMap((file) => {
    const header = new Uint8Array(512);
    const put = (offset, text) => header.set(encoder.encode(text), offset);
    put(0, file.name.slice(-90).replace(/[^\x20-\x7E]/g, "_"));
    put(100, "0000600\0");
    put(124, `${file.size.toString(8).padStart(11, "0")}\0`);
    put(136, "00000000000\0");
    put(148, "        0");
    put(257, "ustar\u000000");
    put(148, `${header.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0")}\0 `);
    return [header, file, new Uint8Array((512 - file.size % 512) % 512)];
  });
  return new File([...parts, new Uint8Array(1024)], `${name}.tar`);
}
