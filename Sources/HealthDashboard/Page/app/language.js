// The language of the page. Sentences are written in English where they are used; a catalogue translates them.

const root = document.documentElement;

/** Languages that the page speaks: English, and those that have a catalogue of that name in languages/. */
export const languages = ["en", ...(root.dataset.languages ?? "").split(" ").filter(Boolean)];

const storageKey = "language";

/** The language that the person chose on this device, if any. */
export const chosenLanguage = languages.find((one) => one === localStorage.getItem(storageKey));

/** The first of the browser's languages that the page speaks. */
export const browserLanguage =
  navigator.languages.map((one) => one.split("-")[0]).find((one) => languages.includes(one)) ?? "en";

export const language = chosenLanguage ?? browserLanguage;

/** The locale of words: the browser's own if it is of the page's language. */
export const locale = navigator.languages.find((one) => one.split("-")[0] === language) ?? language;

/** Whose formats numbers and dates have: a browser in a language that the page doesn't speak keeps its own. */
const [first = locale] = navigator.languages;
const isAway = !languages.includes(first.split("-")[0]);
const home = new Intl.Locale(isAway ? first : locale).maximize();

/** The locale of numbers, in Latin digits. */
export const numberLocale = isAway ? new Intl.Locale(home, { numberingSystem: "latn" }).toString() : locale;

/** The locale of dates: the page's words in the order and on the clock of where the browser is. */
export const dateLocale = isAway ? localeOfDates() : locale;

function localeOfDates() {
  const { hourCycle } = new Intl.DateTimeFormat(home.toString(), { hour: "numeric" }).resolvedOptions();
  const regional = `${language}-${home.region}`;
  const isKnown = new Intl.DateTimeFormat(regional).resolvedOptions().locale === regional;
  // English outside of the United States has the day first.
  const nearest = isKnown ? regional : language === "en" ? "en-001" : language;
  return new Intl.Locale(nearest, { hourCycle }).toString();
}

/** Where weeks don't begin on Monday, for browsers that don't know it. */
const regionsByFirstDay = {
  5: "MV",
  6: "AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY",
  7: `AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK
    PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW`,
};

/** The day on which weeks begin there, from 1 for Monday to 7 for Sunday. */
export const firstWeekday = (home.getWeekInfo?.() ?? home.weekInfo)?.firstDay ??
  Number(Object.keys(regionsByFirstDay).find((day) => regionsByFirstDay[day].includes(home.region)) ?? 1);

const catalogue = language === "en" ? {} : await load(`languages/${language}.json`);
const pluralRules = new Intl.PluralRules(language);

/** A catalogue; without it, the page is in English. */
async function load(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}

/** A sentence with its values. After an abbreviation, as in “8 Std. 6 Min.”, it has no second period. */
const filled = (sentence, values) =>
  sentence.replace(/\{(\w+)\}(\.?)/g, (mark, name, period) => {
    const value = values[name];
    if (value === undefined || value === null) return mark;
    return String(value).endsWith(".") ? value : `${value}${period}`;
  });

/**
 * A sentence in the page's language, its placeholders replaced: `localized("Deleted {name}", { name })`.
 * A sentence that the catalogue lacks stays English.
 */
export function localized(sentence, values = {}) {
  return filled(catalogue[sentence] ?? sentence, values);
}

/** A sentence with elements in place of its placeholders, as children of an element. */
export function localizedContent(sentence, elements) {
  const parts = (catalogue[sentence] ?? sentence).split(/\{(\w+)\}/);
  return parts.map((part, index) => (index % 2 === 1 ? elements[part] : part));
}

/** The form of a sentence for a number of things. The catalogue has all forms of a language under that for several. */
export function plural(value, one, several, values) {
  const forms = catalogue[several] ?? { one, other: several };
  return filled(forms[pluralRules.select(value)] ?? forms.other, values);
}

/** What the server or HealthKit names in code, such as `heartRate`; `english` is its name in English. */
export const localizedName = (name, english) => catalogue[name] ?? english;

/** A sentence of the server or of a table in the page's language; nothing if the catalogue lacks it. */
export function translated(text) {
  if (language === "en" || !text) return text;
  if (typeof catalogue[text] === "string") return catalogue[text];
  // Sentences that the server has filled.
  for (const [sentence, translation] of Object.entries(catalogue)) {
    // Those of little but placeholders would match others.
    if (!/\{.+\.$/.test(sentence) || sentence.replace(/\{\w+\}/g, "").length < 16) continue;
    const [pattern, names] = patternOf(sentence);
    const found = pattern.exec(text);
    if (found) return filled(translation, Object.fromEntries(names.map((name, index) => [name, found[index + 1]])));
  }
  return undefined;
}

function patternOf(sentence) {
  const parts = sentence.split(/\{(\w+)\}/);
  const escaped = (part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = parts.map((part, index) => (index % 2 === 1 ? "(.+)" : escaped(part))).join("");
  return [new RegExp(`^${pattern}$`), parts.filter((_, index) => index % 2 === 1)];
}

/** Remembers a language on this device, for the next time that the page is loaded; `undefined` follows the browser. */
export function chooseLanguage(name) {
  if (name === undefined) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, name);
}

// The server has translated index.html to the language that the browser asks for.
if (root.lang !== language) {
  root.lang = language;
  for (const element of document.querySelectorAll("[data-text]")) {
    const { text } = element.dataset;
    element.textContent = translated(text) ?? text;
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    const { label } = element.dataset;
    element.ariaLabel = translated(label) ?? label;
  }
}
