import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './tools/checks/long-first.ts';
import { splitTests } from './tools/checks/unit-tests.ts';

const { unit, system } = splitTests(
  globSync(['packages/**/*.test.ts', 'apps/api/**/*.test.ts', 'tools/**/*.test.ts'], {
    cwd: import.meta.dirname,
    exclude: ['**/node_modules/**', 'packages/ui/**'],
  }),
);

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores of a small machine: the tests wait a third of their time, for the database and for processes.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // For what hangs: on a machine busy with much else, a test of four seconds has taken half a minute.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A second, which is usual, has passed before a busy machine gets to what is waited for.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          // Has no database to offer: a test that asks for one fails here.
          name: 'unit',
          include: unit,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          globalSetup: ['apps/api/test/database/postgres.global-setup.ts'],
          include: system,
          // Loading the whole server anew for each file costs more than the tests; it keeps no state outside its Deps.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          // Apps in the browser keep the session and their reports in modules, as a page does, so each file loads its
          // own; a thread starts sooner than a process.
          pool: 'threads',
          include: ['{apps/web,apps/office,packages/ui}/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
