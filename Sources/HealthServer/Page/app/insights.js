// What HealthInsights computes, in the form that the screens draw.

import * as api from "./api.js";

/** A period of sleep as segments of stages, with the time in each. */
function readPeriod(period) {
  const segments = (period?.segments ?? []).map((segment) => ({
    stage: segment.stage,
    start: Date.parse(segment.startDate),
    end: Date.parse(segment.endDate),
  }));
  const byStage = {};
  for (const { stage, start, end } of segments) byStage[stage] = (byStage[stage] ?? 0) + (end - start) / 1000;
  return { segments, byStage };
}

/** One night: `date` is the day one wakes on; times are in milliseconds, lengths in seconds. */
export function readNight(night) {
  const main = night.main ?? {};
  const { segments, byStage } = readPeriod(main);
  return {
    date: night.date,
    segments,
    byStage,
    start: Date.parse(main.startDate),
    end: Date.parse(main.endDate),
    asleep: main.timeAsleep ?? 0,
    inBed: main.timeInBed ?? 0,
    efficiency: main.efficiency,
    source: (main.sources ?? []).map((source) => source.source ?? source).join(", "),
    naps: (night.naps ?? []).reduce((sum, nap) => sum + (nap.timeAsleep ?? 0), 0),
  };
}

/**
 * The nights whose mornings are from `start` to before `end`, oldest first. Asks for two weeks at a time, so that no
 * answer is large.
 */
export async function readNights(start, end) {
  const answers = [];
  for (let from = start.getTime(); from < end.getTime(); from += 14 * 86400000) {
    answers.push(
      api.read("sleep", { start: new Date(from), end: new Date(Math.min(end.getTime(), from + 14 * 86400000)) }),
    );
  }
  const found = new Map();
  for (const answer of await Promise.all(answers)) {
    for (const night of answer.nights) if (night.main) found.set(night.date, readNight(night));
  }
  return [...found.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

const value = (quantity) => quantity?.quantity ?? null;

/** What `GET today` answers, with the averages of the last four weeks beside each figure. */
export async function readToday() {
  const today = await api.read("today");
  const { energy, steps, heartRate, workout } = today;
  return {
    energy: {
      unit: energy.consumed?.unit ?? "kcal",
      consumed: value(energy.consumed) ?? 0,
      active: value(energy.active) ?? 0,
      resting: value(energy.resting),
      missing: energy.missing ?? [],
      usualConsumed: energy.consumedReference?.average,
      usualActive: energy.activeReference?.average,
    },
    steps: {
      value: steps?.quantity ?? null,
      usual: steps?.reference?.average,
      usualByNow: steps?.reference?.averageByNow,
    },
    heartRate: heartRate && {
      latest: heartRate.latest,
      latestDate: heartRate.latestDate,
      minimum: heartRate.minimum,
      maximum: heartRate.maximum,
      resting: heartRate.resting,
      usual: heartRate.reference?.average,
      usualResting: heartRate.restingReference?.average,
    },
    sleep: today.sleep ? readNight(today.sleep) : null,
    usualSleep: today.sleepReference ? { asleep: today.sleepReference.timeAsleep } : null,
    workout: workout && {
      uuid: workout.uuid,
      name: workout.workoutActivityTypeName,
      startDate: workout.startDate,
      duration: workout.duration,
      distance: workout.totalDistance,
      energy: workout.totalEnergyBurned,
      averageHeartRate: workout.averageHeartRate,
    },
    usualWorkout: today.workoutReference?.count > 0
      ? { duration: today.workoutReference.duration / today.workoutReference.count }
      : null,
  };
}
