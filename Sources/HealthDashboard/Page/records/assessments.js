// Questionnaires about anxiety (GAD-7) and depression (PHQ-9), with the bounds that their authors published.

import { axisTexts, number } from "../app/format.js";
import { localized } from "../app/language.js";
import { shortName } from "../app/types.js";
import { figures } from "../components/cards.js";
import { table } from "../components/value-table.js";
import { timeline } from "./timeline.js";

const answers = [
  localized("Not at all"),
  localized("Several days"),
  localized("More than half the days"),
  localized("Nearly every day"),
  localized("Prefer not to answer"),
];

/** Spitzer et al. 2006 and Kroenke et al. 2001: from which score on a level is meant. */
const questionnaires = {
  gad7: {
    name: "GAD-7",
    most: 21,
    levels: [
      [15, localized("Severe")],
      [10, localized("Moderate")],
      [5, localized("Mild")],
      [0, localized("None to minimal")],
    ],
    questions: [
      localized("Feeling nervous, anxious, or on edge"),
      localized("Not being able to stop or control worrying"),
      localized("Worrying too much about different things"),
      localized("Trouble relaxing"),
      localized("Being so restless that it is hard to sit still"),
      localized("Becoming easily annoyed or irritable"),
      localized("Feeling afraid, as if something awful might happen"),
    ],
  },
  phq9: {
    name: "PHQ-9",
    most: 27,
    levels: [
      [20, localized("Severe")],
      [15, localized("Moderately severe")],
      [10, localized("Moderate")],
      [5, localized("Mild")],
      [0, localized("None to minimal")],
    ],
    questions: [
      localized("Little interest or pleasure in doing things"),
      localized("Feeling down, depressed, or hopeless"),
      localized("Trouble falling or staying asleep, or sleeping too much"),
      localized("Feeling tired or having little energy"),
      localized("Poor appetite or overeating"),
      localized("Feeling bad about yourself"),
      localized("Trouble concentrating on things"),
      localized("Moving or speaking slowly, or being restless"),
      localized("Thoughts of being better off dead, or of hurting yourself"),
    ],
  },
};

const of = ({ type }) => questionnaires[shortName(type).toLowerCase()];
const level = (sample) => of(sample).levels.find(([least]) => (sample.fields?.score ?? 0) >= least)[1];

export function row(sample) {
  const { name, most } = of(sample);
  const score = sample.fields?.score;
  return { title: `${name}: ${level(sample)}`, value: score === undefined ? "–" : `${number(score)}/${most}` };
}

export function details(sample) {
  const { questions, most } = of(sample);
  const { score, answers: given = [] } = sample.fields ?? {};
  return [
    figures([
      [localized("Score"), localized("{score} of {most}", { score: number(score), most: number(most) })],
      [localized("Level"), level(sample)],
    ], "worded"),
    table(
      localized("Answers"),
      [localized("In the last two weeks"), localized("Answer")],
      given.map((answer, index) => [
        questions[index] ?? number(index + 1),
        answers[answer] ?? "–",
      ]),
    ),
  ];
}

/** The scores over time. */
export function overview(identifier, _context, signal) {
  const { name, most } = of({ type: identifier });
  return timeline(localized("Score over time"), identifier, signal, {
    note: localized("{name} has scores from 0 to {most}.", { name, most: number(most) }),
    sets: [{ name, kind: "line", of: ({ score }) => score }],
    format: (score) => number(score),
    axis: (values) => axisTexts(values, "count"),
    ends: [0, most],
  });
}
