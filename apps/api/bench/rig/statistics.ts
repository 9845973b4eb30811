import type { BenchFigure } from '../../../../tools/bench/bench.ts';

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]): number => quantile(values, 0.5);

/** The median of the rounds, and their range. */
export function ofRounds(figure: Omit<BenchFigure, 'value' | 'spread'>, rounds: number[]): BenchFigure {
  return {
    ...figure,
    value: median(rounds),
    spread: { from: Math.min(...rounds), to: Math.max(...rounds) },
  };
}

/** Each round of ours divided by theirs from the same turn. */
export function besides(ours: number[], theirs: number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
}
