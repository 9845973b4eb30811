import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_BUILD, API_SERVER, buildApiApart, SERVER_OPTIONS } from './build-api-apart.ts';
import { OFFICE_FOLDER, WEB_FOLDER } from './build-web.ts';
import { root } from './root.ts';

const lines = readFileSync(join(root, 'Containerfile'), 'utf8').split('\n');
const command = ['node', ...SERVER_OPTIONS, relative(root, API_SERVER)];

let image: string;
beforeAll(async () => {
  image = realpathSync(await mkdtemp(join(tmpdir(), 'brightpane-image-')));
  copyContext(image);
  linkPackages(image);
});
afterAll(() => rm(image, { recursive: true, force: true }));

/** Copies what the image gets from the checkout itself, except what `.dockerignore` keeps out. */
function copyContext(to: string): void {
  const copies = lines.flatMap((line) => /^COPY (?!--)(.+) (\S+)$/.exec(line) ?? []);
  for (let at = 0; at < copies.length; at += 3) {
    const [sources = '', target = ''] = copies.slice(at + 1, at + 3);
    if (sources === '.') continue;
    for (const source of sources.split(' ')) {
      const place = target.endsWith('/') ? join(to, target, basename(source)) : join(to, target);
      cpSync(join(root, source), place, { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
    }
  }
}

/** The packages that `npm ci --omit=dev --workspace @brightpane/api` installs, as far as a program imports them. */
function linkPackages(to: string): void {
  const ours = join(to, 'node_modules/@brightpane');
  mkdirSync(ours, { recursive: true });
  for (const name of readdirSync(join(to, 'packages')))
    symlinkSync(join(to, 'packages', name), join(ours, name));
  symlinkSync(join(root, 'node_modules/zod'), join(to, 'node_modules/zod'));
}

test.each([API_BUILD, WEB_FOLDER, OFFICE_FOLDER].map((folder) => relative(root, folder)))(
  'the image holds what the server serves: %s',
  (folder) => {
    expect(lines).toContain(`COPY --from=build /app/${folder} ${folder}`);
  },
);

test('the image runs the server as "npm run serve" does, and as everything that measures it', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(scripts.serve).toBe(`exec ${command.join(' ')}`);
  expect(lines).toContain(`CMD [${command.map((each) => JSON.stringify(each)).join(', ')}]`);
});

test('"npm run serve" leaves a server of these sources as it is, which another user may have built', async () => {
  await buildApiApart();
  const { ino } = statSync(API_SERVER);
  await promisify(execFile)(process.execPath, [join(root, 'tools/build-api.ts')]);
  expect(statSync(API_SERVER).ino).toBe(ino);
});

/** Runs what the image has as `portal`, and returns what it prints. */
function runPortal(...words: string[]): Promise<string> {
  const [, program = ''] =
    /exec node \/app\/(\S+) "\$@".* > \/usr\/local\/bin\/portal/.exec(lines.join('\n')) ?? [];
  return new Promise((resolve) => {
    execFile(process.execPath, [join(image, program), ...words], { cwd: image }, (_error, output, errors) =>
      resolve(output + errors),
    );
  });
}

test('the image has the office\'s commands as "portal"', async () => {
  expect(await runPortal('help')).toContain('npm run portal -- status');
});

test('the image checks the payment pages by the inventory', async () => {
  const server = createServer((_request, answer) => {
    answer.setHeader('content-type', 'text/html').end('<!doctype html><script>stranger()</script>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    expect(await runPortal('payment-page-check', '--url', url)).toContain(
      'no line in the inventory: inline-script stranger()',
    );
  } finally {
    server.close();
  }
});
