import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findCircles } from '../../arrows/check-arrows.ts';
import { type Import, readImports } from '../../arrows/import-graph.ts';
import { listSources } from '../../arrows/list-sources.ts';
import { readArrows } from '../../arrows/read-arrows.ts';
import { root } from '../../root.ts';
import type { StepResult } from '../run-step.ts';
import { countPaymentPath } from './payment-path.ts';

/** A figure that a newcomer meets first; `most` is its limit. */
export type HouseFigure = { name: string; value: number; most: number };

/** Counts the figures in this checkout. */
export function countHouse(): HouseFigure[] {
  const sources = listSources(root);
  const { folder, count } = largestFolder(listCode());
  const arrows = readArrows(readFileSync(join(root, 'docs/architecture.md'), 'utf8'));
  const imports = sources.flatMap((file) => readImports(root, file));
  return [
    { name: `source files in the largest folder, ${folder}`, value: count, most: 15 },
    {
      name: 'circles of imports, type-only ones included',
      value: findCircles(sources, imports).length,
      most: 0,
    },
    {
      name: 'lines that say which room may import which',
      value: arrows.lines,
      most: 80,
    },
    {
      name: 'files from the Pay button to the ledger',
      value: countPaymentPath(importsOf(imports)),
      most: 30,
    },
    { name: 'crash points inside the business', value: countCrashPoints(sources), most: 10 },
  ];
}

function importsOf(imports: Import[]): (file: string) => string[] {
  const byFile = Map.groupBy(imports, ({ from }) => from);
  return (file) => (byFile.get(file) ?? []).map(({ to }) => to);
}

/** Our code in git, without tests. */
function listCode(): string[] {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' });
  return files
    .trim()
    .split('\n')
    .filter((file) => !/\.(test|spec|d)\.tsx?$/.test(file));
}

export function largestFolder(files: string[]): { folder: string; count: number } {
  const folders = [...Map.groupBy(files, (file) => dirname(file))];
  const [folder, inside] = folders.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? ['', []];
  return { folder, count: inside.length };
}

/** Calls that exist only for the proof, outside of transactions and provider calls. */
function countCrashPoints(sources: string[]): number {
  const texts = sources.map((file) => readFileSync(join(root, file), 'utf8'));
  return texts.flatMap((text) => text.match(/\bcrashPoint\('/g) ?? []).length;
}

/** Reports each figure, and fails for those above their limit. */
export function checkHouse(figures = countHouse()): StepResult {
  const tooLarge = figures.filter(({ value, most }) => value > most);
  const say = ({ name, value, most }: HouseFigure) => `  ${value} (at most ${most}): ${name}`;
  return {
    passed: figures.length - tooLarge.length,
    failed: tooLarge.length,
    output: tooLarge.map(say).join('\n'),
    figures: figures.map(say),
  };
}
