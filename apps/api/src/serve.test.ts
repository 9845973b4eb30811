import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Before the program's first line, as the machine's own Node would say of itself. */
const OLDER = `data:text/javascript,
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`;

test('says which Node it needs where an older one runs it', () => {
  const { status, stderr } = spawnSync(process.execPath, ['--import', OLDER, 'serve.ts'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: {},
  });
  expect([status, stderr]).toEqual([
    1,
    'The portal runs on Node 24 or newer. This is 20.20.2: start it with "npm run serve", or with "npx node".\n',
  ]);
});
