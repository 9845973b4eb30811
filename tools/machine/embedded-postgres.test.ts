import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmbeddedPostgres, startPostgres } from './embedded-postgres.ts';
import { isRunning } from './running-process.ts';
import { makeThrowAwayFolder } from './throw-away-folder.ts';

let folder: string;
const started: EmbeddedPostgres[] = [];
beforeEach(async () => {
  folder = await makeThrowAwayFolder();
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
  await rm(folder, { recursive: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  started.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('what was committed is there after a stop and a second start', async () => {
  const first = await start();
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  const second = await start();
  expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('a server that runs on in the folder is ended, and its data taken over', async () => {
  const leftOver = await start();
  await query(leftOver.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const next = await start();
  expect(isRunning(Number(leftOver.process.pid))).toBe(false);
  expect(await query(next.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('nobody gets in without the password', async () => {
  const { url } = await start();
  const wrong = new URL(url);
  wrong.password = 'guessed';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test('the server itself reports a taken port', async () => {
  const { url } = await start();
  const port = Number(new URL(url).port);
  const other = startPostgres({ dataDir: join(folder, 'other'), port, durable: false });
  await expect(other).rejects.toThrow(/Address already in use/);
});
