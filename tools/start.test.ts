import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMPILED_SOURCES } from './machine/compiled-sources.ts';
import { findFreePort } from './machine/find-free-port.ts';
import { endProcess, isRunning } from './machine/running-process.ts';
import { makeThrowAwayFolder } from './machine/throw-away-folder.ts';
import { root } from './root.ts';
import { developmentSecrets } from './system/development-secrets.ts';
import { readRunningSystem, writeRunningSystem } from './system/left-over-parts.ts';
import { supervise } from './system/supervise.ts';

/** A first start builds the portal, perhaps on a busy machine. */
const PATIENCE = 180_000;

type Started = { process: ChildProcess; output: () => string; code: Promise<number | null> };

let dataDir: string;
let settings: Record<string, string>;
const starters: Started[] = [];

beforeEach(async () => {
  dataDir = await makeThrowAwayFolder();
  settings = { DATA_DIR: dataDir, NODE_COMPILE_CACHE: COMPILED_SOURCES };
  for (const name of ['PORT', 'EMULATOR_PORT', 'MAILBOX_PORT', 'SMTP_PORT'])
    settings[name] = `${await findFreePort()}`;
});
afterEach(async () => {
  for (const { process: starter } of starters.splice(0)) if (starter.pid) await endProcess(starter.pid);
  await rm(dataDir, { recursive: true });
}, 60_000);

function start(command = process.execPath, args = [join(root, 'tools/start.ts')]): Started {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, { cwd: root, env: { PATH, HOME, ...settings } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const started = {
    process: child,
    output: () => output,
    code: once(child, 'close').then(([code]) => code as number | null),
  };
  starters.push(started);
  return started;
}

async function untilRunning(started: Started): Promise<void> {
  const isRunningOrOver = () =>
    started.output().includes('Ctrl-C stops') || started.process.exitCode !== null;
  await expect.poll(isRunningOrOver, { timeout: PATIENCE, interval: 50 }).toBe(true);
  expect(started.output()).toContain('Ctrl-C stops everything');
}

function parts() {
  return readRunningSystem(join(dataDir, 'running.json'))?.parts ?? [];
}

async function importInvoice(): Promise<unknown> {
  const [header, row = ''] = readFileSync(join(root, 'demo/invoices.csv'), 'utf8').split('\n');
  const answer = await fetch(`${address()}/api/office/import`, {
    method: 'POST',
    headers: { authorization: 'Bearer dev-office-key', 'content-type': 'text/csv' },
    body: `${header}\n${row.replace(',1001,', ',424242,')}\n`,
  });
  return answer.json();
}

/** The payments of the demo's day, from the console's calls. */
async function paymentsOfToday() {
  const ask = async <Item>(path: string) => {
    const answer = await fetch(`${address()}/api/office${path}`, {
      headers: { authorization: 'Bearer dev-office-key' },
    });
    return ((await answer.json()) as { items: Item[] }).items;
  };
  const shares = await ask<{ paymentId: string; state: string; tip: number }>('/payments');
  const overpaid = await ask<{ workOrderNumber: number }>('/invoices?status=overpaid');
  const refunds = await ask<{ state: string; amount: number }>('/refunds');
  return {
    states: shares.map(({ state }) => state).toSorted(),
    tips: shares.filter(({ tip }) => tip > 0).length,
    payments: new Set(shares.map(({ paymentId }) => paymentId)).size,
    overpaid: overpaid.map(({ workOrderNumber }) => workOrderNumber),
    refunds: refunds.map(({ state, amount }) => [state, amount]),
  };
}

/** The starter's loaded libraries: the bundler's hundreds of megabytes would stay as long as the demo runs. */
function loadedBy({ process: { pid } }: Started): string {
  return process.platform === 'linux' ? readFileSync(`/proc/${pid}/maps`, 'utf8') : '';
}

const address = () => `http://127.0.0.1:${settings.PORT}`;

test('a start answers, a second one beside it says so, and Ctrl-C stops every part', async () => {
  const first = start();
  await untilRunning(first);
  expect((await fetch(`${address()}/api/health/ready`)).status).toBe(200);
  expect((await fetch(`${address()}/`)).status).toBe(200);
  expect(first.output()).toContain(`http://localhost:${settings.PORT}`);
  expect(first.output()).toMatch(/Sign in +dana@example\.com, password/);
  expect(first.output()).toMatch(/Office +http:\/\/localhost:\d+\/office\/demo\?t=[\w-]{43}\n/);
  expect(first.output()).toMatch(/HQ +http:\/\/localhost:\d+\/office\/demo\?t=[\w-]{43}\n/);
  expect(first.output()).toMatch(/Look up +franchise \d+, work order \d+, zip \d+/);
  // The refund is made once its payment was collected, which the background does.
  await expect.poll(paymentsOfToday, { timeout: PATIENCE, interval: 250 }).toEqual({
    states: ['declined', 'paid', 'paid', 'paid', 'paid', 'paid', 'paid', 'refunded'],
    tips: 3,
    payments: 7,
    overpaid: [1008],
    refunds: [['made', 102.54]],
  });
  expect(loadedBy(first)).not.toContain('rolldown');
  const running = parts();
  expect(running.map(({ name }) => name).sort()).toEqual(['emulator', 'mailbox', 'portal', 'postgres']);

  const second = start();
  expect(await second.code).toBe(1);
  expect(second.output()).toContain(`runs already, at http://localhost:${settings.PORT}`);

  first.process.kill('SIGINT');
  expect(await first.code).toBe(0);
  expect(running.filter(({ pid }) => isRunning(pid))).toEqual([]);
}, 360_000);

test('a start for development serves pages from their sources, with settings, and passes calls on', async () => {
  const started = start(process.execPath, [join(root, 'tools/start.ts'), '--dev']);
  await untilRunning(started);
  const page = await (await fetch(`${address()}/`, { headers: { accept: 'text/html' } })).text();
  expect(page).toContain('"/app/root.tsx"');
  const settings = /<script id="settings" type="application\/json">(.*?)<\/script>/.exec(page)?.[1] ?? '';
  expect(JSON.parse(settings)).toMatchObject({ apiSecret: 'dev-api-secret', terms: expect.any(String) });
  expect(await importInvoice()).toEqual({ created: 1, updated: 0, unchanged: 0 });
  const running = parts();

  started.process.kill('SIGINT');
  expect(await started.code).toBe(0);
  expect(running.filter(({ pid }) => isRunning(pid))).toEqual([]);
}, 360_000);

test('a killed start stops nothing, and the next one ends what it left and keeps the data', async () => {
  const killed = start();
  await untilRunning(killed);
  const left = parts();
  expect(await importInvoice()).toEqual({ created: 1, updated: 0, unchanged: 0 });
  killed.process.kill('SIGKILL');
  await killed.code;
  expect(left.every(({ pid }) => isRunning(pid))).toBe(true);

  await untilRunning(start());
  expect(left.filter(({ pid }) => isRunning(pid))).toEqual([]);
  expect(await importInvoice()).toEqual({ created: 0, updated: 0, unchanged: 1 });
}, 360_000);

test('a kill of npm alone stops every part', async () => {
  const npm = start('npm', ['start', '--ignore-scripts']);
  await untilRunning(npm);
  const running = parts();
  npm.process.kill('SIGKILL');
  await expect.poll(() => running.filter(({ pid }) => isRunning(pid)), { timeout: 60_000 }).toEqual([]);
  await npm.code;
}, 360_000);

test('a part that dies takes the others with it, and is named', async () => {
  const started = start();
  await untilRunning(started);
  const running = parts();
  const mailbox = running.find(({ name }) => name === 'mailbox');
  process.kill(mailbox?.pid ?? 0, 'SIGKILL');
  expect(await started.code).toBe(1);
  expect(started.output()).toContain('The mailbox ended by itself');
  expect(running.filter(({ pid }) => isRunning(pid))).toEqual([]);
}, 360_000);

test('a start goes on where a full disk has cut the file that names the running parts', async () => {
  writeFileSync(join(dataDir, 'running.json'), '');
  const other = createServer();
  await new Promise<void>((listening) => other.listen(Number(settings.MAILBOX_PORT), '127.0.0.1', listening));
  const started = start();
  expect(await started.code).toBe(1);
  // Far enough: it has looked for what runs and for free ports.
  expect(started.output()).toBe(
    `Port ${settings.MAILBOX_PORT} is taken by another program. Stop it, or set MAILBOX_PORT to another port.\n`,
  );
  other.close();
}, 30_000);

test.each(['', '{"TOKEN_SECRET": "12', 'null'])(
  'a start says which file of secrets it cannot read: %j',
  (cut) => {
    const file = join(dataDir, 'secrets.json');
    writeFileSync(file, cut);
    expect(() => developmentSecrets(dataDir)).toThrow(
      `${file} can't be read, perhaps because the disk was full when it was written. Put it back from a copy. Without one, delete it:`,
    );
    expect(readFileSync(file, 'utf8')).toBe(cut);
  },
);

test('files of a start are whole or not there, whatever stops the writing', () => {
  const [running, secrets] = [join(dataDir, 'running.json'), join(dataDir, 'secrets.json')];
  const system = { starterPid: 1, portalUrl: 'http://localhost:3000', parts: [] };
  writeRunningSystem(running, system);
  // In the way of what is written first.
  for (const file of [running, secrets]) mkdirSync(`${file}.new`);
  expect(() => writeRunningSystem(running, { ...system, starterPid: 2 })).toThrow();
  expect(() => developmentSecrets(dataDir)).toThrow();
  expect(readRunningSystem(running)).toEqual(system);
  expect(existsSync(secrets)).toBe(false);
});

test('every part is stopped, even if that cannot be written down', async () => {
  const stopped: string[] = [];
  const supervisor = supervise(() => {
    if (stopped.length > 0) throw new Error('the disk is full');
  });
  for (const name of ['postgres', 'emulator'] as const)
    supervisor.add({ name, process: spawn('true'), marker: name, stop: async () => void stopped.push(name) });
  await expect(supervisor.stopAll()).rejects.toThrow('the disk is full');
  expect(stopped).toEqual(['emulator', 'postgres']);
});

test('a port that is taken is named with the setting that changes it', async () => {
  const other = createServer();
  await new Promise<void>((listening) => other.listen(Number(settings.MAILBOX_PORT), '127.0.0.1', listening));
  const started = start();
  expect(await started.code).toBe(1);
  expect(started.output()).toContain(`Port ${settings.MAILBOX_PORT} is taken`);
  expect(started.output()).toContain('set MAILBOX_PORT');
  other.close();
}, 30_000);
