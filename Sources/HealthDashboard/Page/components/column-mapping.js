// The columns of a table that the server doesn't know: the person says what they are, and sees what is read. The
// mapping is sent with the table, and kept in this browser for the next one with the same columns.

import * as api from "../app/api.js";
import { html, put } from "../app/dom.js";
import { localized } from "../app/language.js";
import { types } from "../app/GENERATED-types.js";
import { shortName, typeName } from "../app/types.js";
import { scrollArea } from "./cards.js";
import { field, reject, select } from "./controls.js";
import { openDialog } from "./dialogs.js";

const bytesOfPreview = 65536;
const rowsOfPreview = 5;
const separators = [";", "\t", ","];

/** Whether a file is a table whose columns can be said. */
export const isTable = ({ name }) => /\.(csv|tsv)$/i.test(name);

/** Asks what the columns of a table are; `accept` gets the file to import, the table with its mapping. */
export async function mapColumns(file, accept) {
  const text = await file.slice(0, bytesOfPreview).text();
  const [columns, ...rows] = table(text.replace(/^\uFEFF/, ""));
  const key = `columns:${columns.join("|")}`;
  const known = JSON.parse(localStorage.getItem(key) ?? "{}");
  const { preferredUnits } = await api.request("GET", api.address("preferred-units", { types: Object.keys(types) }));
  const names = Object.keys(preferredUnits).map((type) => [shortName(type), typeName(type)])
    .sort(([, a], [, b]) => a.localeCompare(b));
  const units = Object.fromEntries(Object.entries(preferredUnits).map(([type, unit]) => [shortName(type), unit]));
  const time = select(columns.map((name) => [name, name]), known.time ?? likelyTime(columns, rows), () => show());
  const preview = scrollArea(localized("Preview"));
  const choices = columns.map((column) => {
    const { type = "", unit = "" } = known.samples?.find((one) => one.column === column) ?? {};
    const label = localized("Unit of {column}", { column });
    const input = html("input", { value: unit, autocomplete: "off", "aria-label": label });
    const chooser = select([["", localized("Leave out")], ...names], type, (value) => {
      input.value = units[value] ?? "";
      show();
    });
    chooser.setAttribute("aria-label", localized("Type of {column}", { column }));
    input.addEventListener("input", show);
    return { column, chooser, input };
  });
  const chosen = () =>
    choices.filter(({ column, chooser }) => chooser.value && column !== time.value).map((one) => ({
      type: one.chooser.value,
      column: one.column,
      ...(one.input.value && { unit: one.input.value }),
    }));
  function show() {
    for (const { column, chooser, input } of choices) {
      chooser.disabled = column === time.value;
      input.disabled = chooser.disabled || !chooser.value;
    }
    const shown = [{ column: time.value }, ...chosen()];
    const cell = (row, { column, unit }) => [row[columns.indexOf(column)], unit].filter(Boolean).join(" ");
    const heads = shown.map(({ type, column }) => html("th", { scope: "col" }, type ? typeName(type) : column));
    const body = rows.slice(0, rowsOfPreview).map((row) =>
      html("tr", shown.map((one) => html("td", cell(row, one))))
    );
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
      const samples = chosen();
      if (samples.length === 0) return reject(choices[0].chooser, localized("Choose some types.")) ?? false;
      localStorage.setItem(key, JSON.stringify({ time: time.value, samples }));
      const used = new Set([time.value, ...samples.map(({ column }) => column)]);
      const mapping = {
        format: "OpenHealthKit columns",
        source: file.name.replace(/\.\w+$/, ""),
        time: { column: time.value, format: ["iso8601", "written"] },
        samples,
        leftOut: Object.fromEntries(columns.filter((name) => !used.has(name)).map((name) => [name, name])),
      };
      accept(archive(file.name, [file, new File([JSON.stringify(mapping)], "columns.json")]));
      return true;
    },
  });
  show();
}

/** The rows of a table, of which the first has the names of the columns. The last one may be incomplete. */
function table(text) {
  const [first] = text.split("\n", 1);
  const separator = separators.find((one) => first.includes(one)) ?? ",";
  const rows = [[]];
  let cell = "";
  let isQuoted = false;
  const end = () => {
    rows.at(-1).push(cell.trim());
    cell = "";
  };
  for (const one of text) {
    if (one === "\"") isQuoted = !isQuoted;
    else if (isQuoted) cell += one;
    else if (one === separator) end();
    else if (one === "\n") {
      end();
      rows.push([]);
    } else cell += one;
  }
  if (cell || rows.at(-1).length > 0) end();
  return rows.filter((row) => row.length > 0 && row.some(Boolean));
}

/** The column with a date in its first row that isn't a number. */
const likelyTime = (columns, [row = []]) =>
  columns.find((_, index) => Number.isNaN(Number(row[index])) && /\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/.test(row[index]))
    ?? columns[0];

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
