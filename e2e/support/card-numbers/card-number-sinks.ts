import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type pg from 'pg';
import { systemUnderTest } from '../system.ts';

/** What each part has logged, but for the card provider, where numbers belong. */
export async function readLogs(...others: string[]): Promise<string> {
  const { logFolder } = systemUnderTest();
  const names = (await readdir(logFolder)).filter((name) => !name.startsWith('emulator'));
  const files = [...names.map((name) => join(logFolder, name)), ...others];
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

/**
 * Every row of every table, the tables of the background tasks included. Only the import whose table is temporary can read
 * that one, which may be gone in the next moment.
 */
export async function dumpDatabase(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const dumps: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ line: string }>(`SELECT t::text AS line FROM ${name} t`);
    dumps.push(`${name}\n${rows.map(({ line }) => line).join('\n')}`);
  }
  return dumps.join('\n');
}

/** Every mail that anybody was sent. */
export async function readAllMail(): Promise<string> {
  return (await fetch(`${systemUnderTest().mailboxUrl}/email`)).text();
}

/** Whatever a page has left in its browser: both storages, cookies, the address and its state, databases, caches. */
export async function readBrowserStorage(page: Page): Promise<string> {
  const kept = await page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    address: location.href,
    state: history.state as unknown,
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
  }));
  return JSON.stringify([kept, await page.context().cookies()]);
}

/** What the database writes before it writes anything else. */
export async function readWriteAheadLog(client: pg.Client): Promise<Buffer[]> {
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const folder = join(rows[0]?.data_directory ?? '', 'pg_wal');
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const segments = await Promise.all(names.map(({ name }) => readFile(join(folder, name)).catch(() => null)));
  // The database gives a segment that is done with another name, or removes it.
  return segments.every((segment) => segment !== null) ? segments : readWriteAheadLog(client);
}

/** Every file below a folder that is given to a program for what it keeps for a while. */
export async function readFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')));
  return [folder, ...texts].join('\n');
}

const WRITABLE = /^([0-9a-f]+)-([0-9a-f]+) rw/;
const PIECE = 16 * 1024 * 1024;

/**
 * Which of the numbers are in the memory of a process now, and so would be in a dump of it. `null` where the system does not
 * let anybody look.
 */
export async function findInMemory(pid: number, numbers: readonly string[]): Promise<string[] | null> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8').catch(() => null);
  if (maps === null) return null;
  const memory = await open(`/proc/${pid}/mem`);
  const found = new Set<string>();
  const piece = Buffer.alloc(PIECE);
  try {
    for (const line of maps.split('\n')) {
      const [, from, to] = WRITABLE.exec(line) ?? [];
      if (from === undefined || to === undefined) continue;
      const end = Number.parseInt(to, 16);
      // Each piece begins a little before the end of the last, where a number may lie across.
      for (let at = Number.parseInt(from, 16); at < end; at += PIECE - 32) {
        // What is reserved and was never used cannot be read.
        const { bytesRead } = await memory
          .read(piece, 0, Math.min(PIECE, end - at), at)
          .catch(() => ({ bytesRead: 0 }));
        const bytes = piece.subarray(0, bytesRead);
        for (const number of numbers) if (bytes.includes(number, 0, 'latin1')) found.add(number);
      }
    }
  } finally {
    await memory.close();
  }
  return [...found];
}
