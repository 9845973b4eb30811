import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './root.ts';

/** What a bench module exports as its default. Figures are printed as they are returned, one line each. */
export type Bench = (options: { short: boolean }) => Promise<BenchFigure[]>;

export type BenchFigure = {
  name: string;
  value: number;
  unit: string;
  /** What the design asks for; a figure on the wrong side of it fails the run. */
  limit?: { atMost: number } | { atLeast: number };
};

/** `npm run bench`: the benches of the API, one after the other. `--short` is a quick look; names choose some. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { short: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const files = globSync('apps/api/bench/*.bench.ts', { cwd: root })
    .sort()
    .filter((file) => positionals.length === 0 || positionals.some((name) => file.includes(name)));
  if (files.length === 0) throw new Error('There is no such bench.');
  for (const file of files) {
    process.stdout.write(`\n${file}\n`);
    const { default: bench } = (await import(join(root, file))) as { default: Bench };
    for (const figure of await bench(values)) {
      process.stdout.write(`  ${describe(figure)}\n`);
      if (!holds(figure)) process.exitCode = 1;
    }
  }
}

function holds({ value, limit }: BenchFigure): boolean {
  if (limit === undefined) return true;
  return 'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast;
}

function describe(figure: BenchFigure): string {
  const { name, value, unit, limit } = figure;
  const shown = `${name.padEnd(56)} ${Number(value.toPrecision(4)).toLocaleString('en-US')} ${unit}`;
  if (limit === undefined) return shown;
  const asked = 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`;
  return `${shown} (${asked}: ${holds(figure) ? 'holds' : 'MISSED'})`;
}

await main();
