import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';

const PAGES = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root });
const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = read(page)
    .replace(/^ *```[\s\S]*?^ *```/gm, '')
    .matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isDead(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
}

test('every link of the documents leads somewhere', () => {
  const links = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => ({ page, link })),
  ).filter(({ link }) => !/^(https?|mailto):/.test(link));
  expect(links.length).toBeGreaterThan(150);
  expect(links.filter(({ page, link }) => isDead(page, link))).toEqual([]);
});

test('the documents name only scripts that npm can run', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = PAGES.flatMap((page) => [...read(page).matchAll(/npm run (?:--silent )?([\w-]+)/g)]);
  expect(named.length).toBeGreaterThan(50);
  expect(named.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
});
