import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';

const TOP = /^(apps|packages|tools|e2e|demo|docs)\//;

/** The paths that a line names. A bare file name stands beside the path before it. */
function pathsIn(line: string): string[] {
  let folder = '';
  return [...line.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => {
    if (TOP.test(name)) folder = name.endsWith('/') ? name : dirname(name);
    const isBare = folder !== '' && /^[\w-][\w.-]*\.(ts|tsx|scss|json)$/.test(name);
    return TOP.test(name) ? [name] : isBare ? [join(folder, name)] : [];
  });
}

const isThere = (path: string) => globSync(path, { cwd: root }).length > 0;

test.each([
  ['A field of the invoice', 'Twenty files', 20],
  ['A screen', 'Five files', 5],
])('the recipe "%s" counts its files: %s', (title, words, count) => {
  const page = readFileSync(join(root, 'docs/recipes.md'), 'utf8');
  const recipe = page.split('\n## ').find((part) => part.startsWith(`${title}\n`)) ?? '';
  expect(recipe).toContain(words);
  const files = recipe.split('\n').flatMap((line) => /^\| (`.+?) \|/.exec(line)?.[1]?.split('`, `') ?? []);
  expect(files).toHaveLength(count);
});

test('the recipes name only files that exist, apart from those to be made', () => {
  const rows = readFileSync(join(root, 'docs/recipes.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `') || / \| `/.test(line));
  const paths = rows.flatMap(pathsIn).filter((path) => !/<|NNNN/.test(path));
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});
