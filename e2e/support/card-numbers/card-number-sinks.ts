import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type pg from 'pg';
import { systemUnderTest } from '../system.ts';

/** The logs of all parts except the card provider's, where card numbers belong. */
export async function readLogs(...others: string[]): Promise<string> {
  const { logFolder } = systemUnderTest();
  const names = (await readdir(logFolder)).filter((name) => !name.startsWith('emulator'));
  const files = [...names.map((name) => join(logFolder, name)), ...others];
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

/**
 * Every row of every table, including the background tasks' tables. Skips temporary tables: only their own import can
 * read them, and they may vanish at any moment.
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

/** Every mail sent to anybody. */
export async function readAllMail(): Promise<string> {
  return (await fetch(`${systemUnderTest().mailboxUrl}/email`)).text();
}

/** Everything a page left in its browser: both storages, cookies, the URL and its state, databases, caches. */
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

/** The database's write-ahead log. */
export async function readWriteAheadLog(client: pg.Client): Promise<Buffer[]> {
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const folder = join(rows[0]?.data_directory ?? '', 'pg_wal');
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const segments = await Promise.all(names.map(({ name }) => readFile(join(folder, name)).catch(() => null)));
  // Postgres renames or removes a finished segment, so read again.
  return segments.every((segment) => segment !== null) ? segments : readWriteAheadLog(client);
}

/** Every file in a folder where a program keeps temporary data. */
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
 * Which of the numbers are in a process's memory now, and so would be in a core dump. `null` if the system doesn't allow
 * reading it.
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
      // Pieces overlap a little, so that a number across their border is found.
      for (let at = Number.parseInt(from, 16); at < end; at += PIECE - 32) {
        // Reserved but unused memory can't be read.
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
