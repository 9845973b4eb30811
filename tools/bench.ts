import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { end } from './bench/at-end.ts';
import { type Bench, type BenchFigure, holds, measured, verdict } from './bench/bench.ts';
import { writeSection } from './bench/performance-page.ts';
import { removeLeftOverFolders } from './machine/throw-away-folder.ts';
import { root } from './root.ts';

const BENCHES = ['apps/api/bench/**/*.bench.ts', 'e2e/bench/*.bench.ts', 'apps/web/bench/*.bench.ts'];

/**
 * `npm run bench`: runs the benches in sequence; names select some. `--short` only checks that they work; `--write` puts
 * their figures into docs/performance.md.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { short: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const { short, write } = values;
  if (short && write) throw new Error('What a short run finds is not worth writing down.');
  const files = globSync(BENCHES, { cwd: root })
    .sort()
    .filter((file) => positionals.length === 0 || positionals.some((name) => file.includes(name)));
  if (files.length === 0) throw new Error('There is no such bench.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void end().finally(() => process.exit(1)));
  }
  await removeLeftOverFolders();
  const errors: string[] = [];
  for (const file of files) {
    process.stdout.write(`\n${file}\n`);
    const begin = performance.now();
    try {
      const { default: bench } = (await import(join(root, file))) as { default: Bench };
      const figures = await bench({ short });
      for (const figure of figures)
        process.stdout.write(`  ${describe(figure, short ? '' : verdict(figure))}\n`);
      if (write) writeSection(basename(file, '.bench.ts'), figures);
      if (!short && !figures.every(holds)) process.exitCode = 1;
    } catch (error) {
      errors.push(`${file}: ${error instanceof Error ? error.stack : String(error)}\n`);
      process.stderr.write(errors.at(-1) ?? '');
      process.exitCode = 1;
    }
    process.stdout.write(`  in ${((performance.now() - begin) / 1000).toFixed(1)} s\n`);
  }
  await end();
  // Again, as the last thing printed: of a long output, only the end may be kept.
  if (errors.length > 0) process.stderr.write(`\nFailed:\n${errors.join('')}`);
}

function describe(figure: BenchFigure, asked: string): string {
  return `${figure.name.padEnd(56)} ${measured(figure)}${asked && ` (${asked})`}`;
}

await main();
