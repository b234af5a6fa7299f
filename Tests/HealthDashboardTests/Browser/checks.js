// Accessibility checks of the page as it is shown. Evaluates to a list of violations; empty is good.
(() => {
  const found = [];
  const describe = (element) => {
    const text = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\s+/g, " ").slice(
      0,
      40,
    );
    return `<${element.tagName.toLowerCase()}${element.id ? ` id=${element.id}` : ""} class="${
      element.getAttribute("class") ?? ""
    }"> “${text}”`;
  };
  const add = (rule, element, detail = "") => found.push(`${rule}: ${describe(element)} ${detail}`.trim());
  const scope = document.querySelector("dialog[open]") ?? document.body;
  const isHidden = (element) => element.closest("[aria-hidden=true], [hidden]") !== null;
  const isVisible = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return box.width > 1 && box.height > 1 && style.visibility !== "hidden" && style.display !== "none";
  };
  const isOnlyForReaders = (element) => element.closest(".sr, .skip") !== null;

  const name = (element) => {
    const label = element.getAttribute("aria-label");
    if (label?.trim()) return label;
    const by = element.getAttribute("aria-labelledby");
    if (by) return by.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
    if (element.matches("input, select, textarea, progress")) {
      return [...(element.labels ?? [])].map((one) => one.textContent).join(" ").trim() || element.title;
    }
    if (element.matches("img")) return element.getAttribute("alt") || "";
    const alternatives = [...element.querySelectorAll("img[alt], [aria-label]")].map((one) =>
      one.getAttribute("aria-label") ?? one.alt
    ).join(" ");
    return `${element.textContent.trim()} ${alternatives}`.trim();
  };

  // Names of what can be operated, and of images.
  const interactive = [
    ...scope.querySelectorAll(
      "a[href], button, input, select, textarea, [role=button], [tabindex]:not([tabindex='-1'])",
    ),
  ];
  for (const element of interactive) {
    if (isHidden(element) || element.type === "hidden") continue;
    if (!name(element)) add("no accessible name", element);
  }
  for (
    const element of scope.querySelectorAll("svg[role=img], canvas, dialog, [role=group], [role=region], progress")
  ) if (!isHidden(element) && !name(element)) add("no accessible name", element);
  for (const element of scope.querySelectorAll("svg:not([role=img]):not([aria-hidden=true])")) {
    if (!element.closest("svg[role=img], [aria-hidden=true]")) add("decoration is not hidden", element);
  }
  for (const element of scope.querySelectorAll("img:not([alt])")) add("no alternative text", element);
  for (const element of scope.querySelectorAll("[aria-hidden=true]")) {
    if (element.querySelector("a[href], button, input, select")) add("focusable inside aria-hidden", element);
  }

  // Labels that point nowhere, and identifiers used twice.
  for (const attribute of ["for", "aria-labelledby", "aria-describedby"]) {
    for (const element of scope.querySelectorAll(`[${attribute}]`)) {
      for (const id of element.getAttribute(attribute).split(/\s+/)) {
        if (id && !document.getElementById(id)) add(`${attribute} names nothing`, element, id);
      }
    }
  }
  const seen = new Map();
  for (const element of document.querySelectorAll("[id]")) {
    if (seen.has(element.id)) add("duplicate id", element);
    seen.set(element.id, element);
  }

  // Headings: one first-level heading, and no level is skipped.
  const headings = [...scope.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((element) => !isHidden(element));
  const levels = headings.map((element) => Number(element.tagName[1]));
  if (scope === document.body && levels.filter((level) => level === 1).length !== 1) {
    add("not exactly one h1", document.querySelector("main"), String(levels));
  }
  levels.forEach((level, index) => {
    if (index > 0 && level > levels[index - 1] + 1) {
      add("heading level skipped", headings[index], `h${levels[index - 1]} before h${level}`);
    }
  });
  for (const element of headings) if (!element.textContent.trim()) add("empty heading", element);

  // Focus goes through the page in the order of the document.
  for (const element of scope.querySelectorAll("[tabindex]")) {
    if (Number(element.getAttribute("tabindex")) > 0) add("positive tabindex", element);
  }
  for (const list of scope.querySelectorAll("ul, ol")) {
    for (const child of list.children) {
      if (!["LI", "SCRIPT", "TEMPLATE"].includes(child.tagName) && !child.matches(".skeleton")) {
        add("child of a list isn't an item", child);
      }
    }
  }
  if (!document.documentElement.lang) add("no language", document.documentElement);
  if (!document.title.trim()) add("no title", document.documentElement);

  // Targets of at least 24 by 24 pixels, except links within text.
  for (const element of interactive) {
    if (!isVisible(element) || isOnlyForReaders(element) || isHidden(element)) continue;
    const box = element.getBoundingClientRect();
    const isInText = element.matches("a") && getComputedStyle(element).display === "inline" &&
      element.closest("p, li, span") !== null;
    if (!isInText && Math.min(box.width, box.height) < 23.5) {
      add("target too small", element, `${Math.round(box.width)}×${Math.round(box.height)}`);
    }
  }

  // Contrast of text with what is behind it.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = "#000";
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, bottom) => [0, 1, 2].map((index) => top[index] * top[3] + bottom[index] * (1 - top[3])).concat(1);
  const luminance = (color) => {
    const [r, g, b] = color.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const color = parse(getComputedStyle(one).backgroundColor);
      if (color[3] > 0) layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const reported = new Set();
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (
      !text || !element || isOnlyForReaders(element) || !isVisible(element) ||
      element.closest(":disabled, [aria-disabled=true], script, style, option, noscript")
    ) continue;
    const style = getComputedStyle(element);
    const isShape = element.namespaceURI.endsWith("svg");
    const ink = parse(isShape ? style.fill : style.color);
    const back = background(isShape ? element.closest("svg").parentElement : element);
    const [light, dark] = [luminance(over(ink, back)), luminance(back)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    const key = `${style.color}|${back}|${element.className}`;
    if (ratio < 4.5 && !reported.has(key)) {
      reported.add(key);
      add("contrast below 4.5:1", element, ratio.toFixed(2));
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) {
    add("wider than the window", document.documentElement, `${document.documentElement.scrollWidth} > ${innerWidth}`);
  }
  return found;
})();
