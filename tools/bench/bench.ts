/** The default export of a bench module. Figures are printed as returned, one per line. */
export type Bench = (options: BenchOptions) => Promise<BenchFigure[]>;

export type BenchOptions = {
  /** As little as shows that the bench works. Its figures aren't measurements. */
  short: boolean;
};

export type BenchFigure = {
  name: string;
  value: number;
  unit: string;
  /** The range of the rounds whose median is `value`. */
  spread?: { from: number; to: number };
  /** The design's requirement; a figure beyond it fails the run. */
  limit?: { atMost: number } | { atLeast: number };
};

export function holds({ value, limit }: BenchFigure): boolean {
  if (limit === undefined) return true;
  return 'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast;
}

/** A figure's requirement, and whether it holds. Most have none. */
export function verdict(figure: BenchFigure): string {
  const { limit } = figure;
  if (limit === undefined) return '';
  const asked = 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`;
  return `${asked}: ${holds(figure) ? 'holds' : 'MISSED'}`;
}

/** The value with its unit and the range of its rounds. */
export function measured({ value, unit, spread }: BenchFigure): string {
  const shown = `${rounded(value)}${unit && ` ${unit}`}`;
  return spread === undefined ? shown : `${shown} (${rounded(spread.from)} to ${rounded(spread.to)})`;
}

/** Rounds to the precision that such measurements have. */
function rounded(value: number): string {
  return Number(value.toPrecision(value < 1 ? 2 : 3)).toLocaleString('en-US', { maximumFractionDigits: 4 });
}
