// Activity rings, drawn as HealthKitUI's HKActivityRingView draws them: the same geometry, colors and order of parts.
// The page test compares the paths with those of `hk rings --svg`.

import { svg } from "../app/dom.js";

const rings = [
  { name: "move", label: "Move", color: [250, 17, 79], start: [200, 0, 32] },
  { name: "exercise", label: "Exercise", color: [166, 255, 0], start: [88, 200, 0] },
  { name: "stand", label: "Stand", color: [0, 255, 246], start: [0, 176, 224] },
];

const size = 320;
const stroke = size * 0.115;
const gap = size * 0.012;
const radius = (index) => size * 0.475 - stroke / 2 - index * (stroke + gap);
const css = (color) => `rgb(${color.map(Math.round).join(",")})`;
const mixed = (from, to, fraction) => from.map((value, index) => value + (to[index] - value) * fraction);
const text = (value) => String(Math.round(value * 1000) / 1000);

function position(turn, r) {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return [size / 2 + r * Math.cos(angle), size / 2 + r * Math.sin(angle)];
}

const point = (turn, r) => position(turn, r).map(text).join(" ");

/** What a screen reader says, in the words of HealthKitUI. */
export function ringsLabel(shares) {
  return rings.map(({ name, label }) => {
    const share = shares?.[name];
    return share === undefined || share === null ? `${label} not set` : `${label} ${Math.round(share * 100)} %`;
  }).join(", ");
}

function cap(color, turn, r, className) {
  const [x, y] = position(turn, r);
  return svg(`circle.${className}`, { cx: text(x), cy: text(y), r: text(stroke / 2), fill: css(color) });
}

function drawRing(ring, index, share, shadow, detail) {
  const r = radius(index);
  const parts = [svg("circle.track", {
    cx: size / 2,
    cy: size / 2,
    r: text(r),
    fill: "none",
    stroke: css(ring.color),
    "stroke-opacity": 0.2,
    "stroke-width": text(stroke),
  })];
  if (share === undefined || share === null) return parts;
  const group = svg("g", { class: ring.name });
  const first = Math.max(0, share - 1);
  if (share < 1) group.append(cap(ring.start, 0, r, "tail"));
  const count = share > first ? Math.max(1, Math.ceil((share - first) * detail)) : 0;
  for (let part = 0; part < count; part += 1) {
    const from = first + ((share - first) * part) / count;
    // Arcs overlap slightly so that no seams are visible.
    const to = Math.min(share, first + ((share - first) * (part + 1.35)) / count);
    group.append(svg("path", {
      d: `M${point(from, r)} A${text(r)} ${text(r)} 0 0 1 ${point(to, r)}`,
      fill: "none",
      stroke: css(mixed(ring.start, ring.color, part / Math.max(1, count - 1))),
      "stroke-width": text(stroke),
    }));
  }
  if (share > 0) {
    if (share > 1 - stroke / (2 * Math.PI * r)) {
      const [x, y] = position(share + (stroke * 0.16) / (2 * Math.PI * r), r);
      group.append(svg("circle", { cx: text(x), cy: text(y), r: text(stroke * 0.56), fill: `url(#${shadow})` }));
    }
    group.append(cap(ring.color, share, r, "head"));
  }
  parts.push(group);
  return parts;
}

let lastShadow = 0;

/**
 * Large rings. `show(shares)` draws shares of the goals (1 is a closed ring, absent is an empty one) and animates from
 * what was shown before.
 */
export class ActivityRings {
  constructor() {
    lastShadow += 1;
    this.shadow = `ring-shadow-${lastShadow}`;
    this.shown = {};
    this.frame = 0;
    this.element = svg("svg.rings", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "Activity rings" });
    this.draw({}, 1);
  }

  show(shares = {}) {
    cancelAnimationFrame(this.frame);
    this.element.setAttribute("aria-label", ringsLabel(shares));
    const from = { ...this.shown };
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches ||
      rings.every(({ name }) => (from[name] ?? 0) === (shares[name] ?? 0));
    if (still) return this.draw(shares, 120);
    const began = performance.now();
    const step = (now) => {
      const time = Math.min(1, Math.max(0, (now - began) / 900));
      if (time === 1) return this.draw(shares, 120);
      const eased = 1 - (1 - time) ** 3;
      const between = {};
      for (const { name } of rings) {
        if (shares[name] === undefined || shares[name] === null) continue;
        between[name] = (from[name] ?? 0) + (shares[name] - (from[name] ?? 0)) * eased;
      }
      this.draw(between, 48);
      this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
    return undefined;
  }

  draw(shares, detail) {
    this.shown = shares;
    const gradient = svg(
      "radialGradient",
      { id: this.shadow },
      svg("stop", { offset: 0.55, "stop-color": "#000", "stop-opacity": 0.55 }),
      svg("stop", { offset: 1, "stop-color": "#000", "stop-opacity": 0 }),
    );
    this.element.replaceChildren(svg("defs", gradient));
    rings.forEach((ring, index) =>
      this.element.append(...drawRing(ring, index, shares[ring.name], this.shadow, detail))
    );
  }
}

/** Small rings of one color each, for weeks and months. */
export function smallRings(shares, label) {
  const parts = rings.map(({ name, color }, index) => {
    const r = 15.5 - index * 4.6;
    const share = Math.min(shares?.[name] ?? 0, 1);
    const circle = { cx: 18, cy: 18, r, fill: "none", stroke: css(color), "stroke-width": 3.8 };
    const length = 2 * Math.PI * r;
    return [
      svg("circle", { ...circle, "stroke-opacity": 0.22 }),
      share > 0 && svg("circle", {
        ...circle,
        "stroke-dasharray": `${text(Math.max(0.01, length * share))} ${text(length)}`,
        "stroke-linecap": "round",
        transform: "rotate(-90 18 18)",
      }),
    ];
  });
  return svg(
    "svg.rings",
    label
      ? { viewBox: "0 0 36 36", role: "img", "aria-label": label }
      : { viewBox: "0 0 36 36", "aria-hidden": "true" },
    parts,
  );
}
