import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '../../../../../apps/api/src/db/migrate.ts';
import type { TestEmulator } from '../../../../../apps/api/test/emulator.ts';
import { type EmbeddedPostgres, startPostgres } from '../../../../../tools/machine/embedded-postgres.ts';
import { isRunning } from '../../../../../tools/machine/running-process.ts';
import { makeThrowAwayFolder } from '../../../../../tools/machine/throw-away-folder.ts';
import { openSurroundings, type Surroundings } from './rig.ts';

/** A durable Postgres that may be broken, with a portal on it. */
export type PostgresOfOurOwn = {
  people: Surroundings;
  /** `pg_ctl stop -m immediate`: returns once Postgres is gone, without a checkpoint. */
  stopAtOnce(): void;
  /** Starts it unless it runs; it recovers from its log. */
  start(): Promise<void>;
  close(): Promise<void>;
};

export async function openOwnPostgres(
  emulator: TestEmulator,
  { folder, settings = {} }: { folder?: string; settings?: Record<string, string> } = {},
): Promise<PostgresOfOurOwn> {
  const parent = folder ?? (await makeThrowAwayFolder());
  const dataDir = join(parent, 'postgres');
  let server: EmbeddedPostgres = await startPostgres({ dataDir, settings });
  const { url } = server;
  await migrate(url);
  // A separate address: under a shared one it would look like a restored database that lost the other's orders.
  const publicUrl = `https://${randomUUID()}.example.com`;
  const people = await openSurroundings(emulator, { databaseUrl: url, publicUrl });
  return {
    people,
    stopAtOnce() {
      const { pid } = server.process;
      if (pid === undefined) return;
      server.process.kill('SIGQUIT');
      while (isRunning(pid)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    },
    async start() {
      const { pid } = server.process;
      if (pid !== undefined && isRunning(pid)) return;
      server = await startPostgres({ dataDir, settings, port: Number(new URL(url).port) });
    },
    async close() {
      await people.closePortals();
      await server.stop();
      if (!folder) await rm(parent, { recursive: true, force: true });
    },
  };
}

/** The rig's own Postgres, created on first use; its books are judged in this run. */
export async function useOwnPostgres(rig: {
  emulator: TestEmulator;
  postgres: PostgresOfOurOwn | null;
  judged: Surroundings;
}): Promise<PostgresOfOurOwn> {
  rig.postgres ??= await openOwnPostgres(rig.emulator);
  await rig.postgres.start();
  rig.judged = rig.postgres.people;
  return rig.postgres;
}
