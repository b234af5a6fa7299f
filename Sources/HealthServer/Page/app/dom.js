// Builds elements. Text is always set as text, never parsed as HTML.

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * Creates an element: `html("p.muted.small", { id: "x", onclick: save }, "text", child)`.
 *
 * Properties are optional. Those that begin with `on` are event listeners; `true` sets an empty attribute; `false`,
 * `null` and `undefined` set none. Children are nodes, text, numbers, lists of them, or nothing.
 */
export function html(name, ...content) {
  const [tag, ...classes] = name.split(".");
  return fill(document.createElement(tag), classes, content);
}

/** Creates an SVG element in the same way. */
export function svg(name, ...content) {
  const [tag, ...classes] = name.split(".");
  return fill(document.createElementNS(svgNamespace, tag), classes, content);
}

function fill(element, classes, content) {
  const hasProperties = content[0] && Object.getPrototypeOf(content[0]) === Object.prototype;
  const [properties, children] = hasProperties ? [content[0], content.slice(1)] : [{}, content];
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(properties)) setProperty(element, classes, name, value);
  append(element, children);
  return element;
}

function setProperty(element, classes, name, value) {
  if (value === false || value === null || value === undefined) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "class") element.setAttribute("class", [...classes, value].join(" "));
  else if (name === "value" && "value" in element && element.tagName !== "LI") element.value = value;
  else element.setAttribute(name, value === true ? "" : String(value));
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child);
  }
}

/** Replaces the children of an element. */
export function put(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** An icon of icons/icons.svg; hidden from screen readers because text stands beside it. */
export function icon(name, className = "") {
  return svg(
    "svg",
    { class: `icon ${className}`.trim(), "aria-hidden": "true" },
    svg("use", { href: `icons/icons.svg#${name}` }),
  );
}

let lastIdentifier = 0;

/** Returns an element identifier that is unique on the page. */
export function uniqueID(prefix = "e") {
  lastIdentifier += 1;
  return `${prefix}-${lastIdentifier}`;
}

/** Lets a screen reader say something that is only visible otherwise. */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (!region) return;
  region.textContent = "";
  setTimeout(() => {
    region.textContent = text;
  }, 30);
}

/** Returns a function that runs `work` once calls have stopped for `milliseconds`. */
export function debounced(work, milliseconds) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}
