// The language of the page. Sentences are written in English where they are used; a catalogue translates them.

/** Languages that the page speaks besides English. Each has a catalogue of that name in languages/. */
const translations = ["de"];

/** The language that the person chose on this device; without a choice, the first of the browser's that the page speaks. */
export const language = chosen() ?? preferred();

/** The locale of numbers and dates: the browser's own if it is of the page's language. */
export const locale = navigator.languages.find((one) => one.split("-")[0] === language) ?? language;

const catalogue = language === "en" ? {} : await (await fetch(`languages/${language}.json`)).json();

/**
 * A sentence in the page's language, its placeholders replaced: `localized("Deleted {count} samples", { count: "3" })`.
 * A sentence that the catalogue lacks stays English.
 */
export function localized(sentence, values = {}) {
  return (catalogue[sentence] ?? sentence).replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
}

/** Remembers a language on this device, for the next time that the page is loaded; `undefined` follows the browser. */
export function chooseLanguage(name) {
  if (name === undefined) localStorage.removeItem("language");
  else localStorage.setItem("language", name);
}

function chosen() {
  const name = localStorage.getItem("language");
  return name === "en" || translations.includes(name) ? name : undefined;
}

function preferred() {
  const spoken = navigator.languages.map((one) => one.split("-")[0]);
  return spoken.find((one) => one === "en" || translations.includes(one)) ?? "en";
}
