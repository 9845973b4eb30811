import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HELD_FOR } from '../../apps/api/src/modules/payments/refunds/moves/held-for.ts';
import { OFFICE_ENDPOINTS } from '../../packages/contract/src/office-endpoints.ts';
import { root } from '../root.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The names in the first column of the tables below a heading. */
function namesBelow(heading: string): string[] {
  const [, below = ''] = read('docs/operations.md').split(`${heading}\n`);
  const [part = ''] = below.split(/\n#+ /);
  const cells = part.split('\n').flatMap((line) => /^\| (`.+?) \|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => cell.match(/(?<=`)[^`,]+(?=`)/g) ?? []).filter((name) => name.trim() !== '');
}

test('the guide says of each alert in the log what to do', () => {
  const files = globSync('apps/api/src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
  const said = files.flatMap((path) =>
    [...read(path).matchAll(/\balert(?:: |\(deps, charge, )'([^']+)'/g)].map(([, name = '']) => name),
  );
  const told = namesBelow('### Alerts in the log').filter((name) => name !== 'alert');
  // Of the sweep's findings these are alerts, each by its own name.
  const [, findings = ''] = /const ALERTED = new Set<Finding>\(\[([^\]]+)\]\)/.exec(
    read('apps/api/src/modules/payments/sweep/sweep-charges.ts'),
  ) ?? [''];
  const found = [...findings.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  expect(found.length).toBeGreaterThan(0);
  expect([...new Set([...said, ...found, 'merchant-keys-refused'])].sort()).toEqual(told.sort());
});

test('the guide says of each kind of difference what to do', () => {
  const [, kinds = ''] = /export type Difference = \{\s+kind:([^;]+);/.exec(
    read('apps/api/src/modules/payments/books/compare-rows.ts'),
  ) ?? [''];
  const names = [...kinds.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(namesBelow('## Where the books and the provider differ').sort()).toEqual(names.sort());
});

test('the guide says of each reason to hold a refund what to do, in the words that the console shows', () => {
  const [, part = ''] = read('docs/operations.md').split('## Refunds that need a person\n');
  const told = part.split('\n').flatMap((line) => /^\| (.+?) \|/.exec(line)?.[1]?.split('; ') ?? []);
  expect(Object.values(HELD_FOR).filter((words) => !told.includes(words))).toEqual([]);
});

/** Whether the console's own site in the guide passes a path on, by the proxy that the site is for. */
const consoleSites: Record<string, () => (path: string) => boolean> = {
  nginx: () => {
    const [, server = ''] =
      /server \{([^`]+server_name office[^`]+)```/.exec(read('docs/operations.md')) ?? [];
    const places = [...server.matchAll(/location (~|\^~) (\S+) \{/g)];
    return (path) =>
      places.some(([, kind, place = '']) =>
        kind === '~' ? new RegExp(place).test(path) : path.startsWith(place),
      );
  },
  Caddy: () => {
    const [, site = ''] = /\noffice\.example\.com \{([^`]+)```/.exec(read('docs/operations.md')) ?? [];
    const [, places = ''] = /@console \{\s+path (.+)/.exec(site) ?? [];
    return (path) =>
      places
        .split(' ')
        .some((place) => (place.endsWith('*') ? path.startsWith(place.slice(0, -1)) : path === place));
  },
};

test.each(Object.keys(consoleSites))(
  'the guide’s %s lets all that the console asks through, and nothing of the payers',
  (proxy) => {
    const passes = consoleSites[proxy]?.() ?? (() => true);
    const asked = [
      '/office',
      '/office/payments',
      '/office/assets/entry.js',
      '/api/office/me',
      '/api/documents/1.pdf',
      '/api/browser-reports',
    ];
    expect(asked.filter((path) => !passes(path))).toEqual([]);
    expect(['/', '/officer', '/api/user', '/api/docs', '/guest-payment'].filter(passes)).toEqual([]);
  },
);

test('the guide shuts each file of the cluster that holds a password', () => {
  const [, cluster = ''] = read('docs/operations.md').split('## A primary that may die\n');
  const secret = globSync('deploy/ha/*', { cwd: root }).filter((path) => /PASSWORD=/.test(read(path)));
  expect(secret).toEqual(['deploy/ha/node.env']);
  for (const path of secret)
    expect(cluster).toContain(`\`${path.split('/').at(-1)}\` belongs to root and has mode 600`);
});

test('the guide’s proxy waits for an import and for the check before one', () => {
  const [, kind, place = ''] =
    /location (=|~) (\S+) \{[^}]+proxy_read_timeout 600s/.exec(read('docs/operations.md')) ?? [];
  const waitsFor = (path: string) => (kind === '=' ? path === place : new RegExp(place).test(path));
  const { import: send, checkImport, imports } = OFFICE_ENDPOINTS;
  expect([send, checkImport, imports].map(({ path }) => waitsFor(`/api${path}`))).toEqual([
    true,
    true,
    false,
  ]);
});

test('the guide keeps an earlier DATA_KEY for the backups that were sealed under it', () => {
  const [row = ''] = /^\| `DATA_KEY` \|.+$/m.exec(read('docs/operations.md')) ?? [];
  expect(row).toContain('backups');
});

test('the guide’s proxy logs no address and no referrer', () => {
  const guide = read('docs/operations.md');
  const [, format = ''] = /^log_format portal '([^']+)';\naccess_log \S+ portal;$/m.exec(guide) ?? [];
  expect(format).toContain('$status');
  expect(format).not.toMatch(/\$(request|request_uri|uri|args|arg_\w+|query_string|http_referer)\b(?!_)/);
  expect(guide).toMatch(/^error_log \S+ crit;$/m);
});
