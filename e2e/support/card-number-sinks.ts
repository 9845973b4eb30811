import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type pg from 'pg';
import { systemUnderTest } from './system.ts';

/** What each part has logged, but for the card provider, where numbers belong. */
export async function readLogs(...others: string[]): Promise<string> {
  const { logFolder } = systemUnderTest();
  const names = (await readdir(logFolder)).filter((name) => !name.startsWith('emulator'));
  const files = [...names.map((name) => join(logFolder, name)), ...others];
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

/** Every row of every table, the tables of the background tasks included. */
export async function dumpDatabase(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
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
  return Promise.all(names.map(({ name }) => readFile(join(folder, name))));
}
