import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { COMPILED_SOURCES } from '../../../tools/machine/compiled-sources.ts';
import { TEST_SECRETS, type TestApp } from './build-test-app.ts';

const PORTAL = fileURLToPath(new URL('../src/cli/portal.ts', import.meta.url));

export type CommandLine = {
  /** Where the portal listens. */
  url: string;
  /** The current folder of whoever types. */
  folder: string;
  /** Runs the command line in a process of its own. `reads: false` closes its output at once. */
  run(
    args: string[],
    env?: Record<string, string>,
    how?: { reads: boolean },
  ): Promise<{ code: number | null; output: string; complaint: string }>;
};

/** `npm run portal` against a test file's app, which listens from then on. */
export function useCommandLine(portal: TestApp): CommandLine {
  const held = { run } as CommandLine;
  beforeAll(async () => {
    held.folder = await mkdtemp(join(tmpdir(), 'brightpane-cli-'));
    await portal.app.listen({ port: 0, host: '127.0.0.1' });
    held.url = `http://127.0.0.1:${(portal.app.server.address() as AddressInfo).port}`;
  });
  afterAll(() => rm(held.folder, { recursive: true, force: true }));

  async function run(args: string[], env: Record<string, string> = {}, { reads } = { reads: true }) {
    const child = spawn(process.execPath, [PORTAL, ...args], {
      cwd: held.folder,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: COMPILED_SOURCES,
        PUBLIC_URL: held.url,
        OFFICE_API_KEY: TEST_SECRETS.officeApiKey,
        ...env,
      },
    });
    if (!reads) child.stdout.destroy();
    let output = '';
    let complaint = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, output, complaint };
  }
  return held;
}
