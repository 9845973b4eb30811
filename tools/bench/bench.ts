/** What a bench module exports as its default. Figures are printed as they are returned, one line each. */
export type Bench = (options: BenchOptions) => Promise<BenchFigure[]>;

export type BenchOptions = {
  /** As little as shows that the bench still works. What it finds is not a measurement. */
  short: boolean;
};

export type BenchFigure = {
  name: string;
  value: number;
  unit: string;
  /** Between which values the rounds lay that `value` is the median of. */
  spread?: { from: number; to: number };
  /** What the design asks for; a figure on the wrong side of it fails the run. */
  limit?: { atMost: number } | { atLeast: number };
};

export function holds({ value, limit }: BenchFigure): boolean {
  if (limit === undefined) return true;
  return 'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast;
}

/** What is asked of a figure, and whether it holds. Nothing is asked of most. */
export function verdict(figure: BenchFigure): string {
  const { limit } = figure;
  if (limit === undefined) return '';
  const asked = 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`;
  return `${asked}: ${holds(figure) ? 'holds' : 'MISSED'}`;
}

/** The value with its unit, and where its rounds lay. */
export function measured({ value, unit, spread }: BenchFigure): string {
  const shown = `${rounded(value)}${unit && ` ${unit}`}`;
  return spread === undefined ? shown : `${shown} (${rounded(spread.from)} to ${rounded(spread.to)})`;
}

/** Four digits say more than any of these measurements knows. */
function rounded(value: number): string {
  return Number(value.toPrecision(value < 1 ? 2 : 3)).toLocaleString('en-US', { maximumFractionDigits: 4 });
}
