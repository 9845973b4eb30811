import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { COMPILED_SOURCES } from '../../../../tools/machine/compiled-sources.ts';
import { card, control, GatewayClient } from '../../test/gateway-client.ts';
import { startEmulator } from '../start-emulator.ts';
import { Ledger } from './ledger.ts';

const SERVER = fileURLToPath(new URL('../server.ts', import.meta.url));

let folder: string;
let running: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-emulator-'));
});

afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  running = [];
  await rm(folder, { recursive: true });
});

function spawnServer(env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [SERVER], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      EMULATOR_PORT: '0',
      EMULATOR_DATA: folder,
      NODE_COMPILE_CACHE: COMPILED_SOURCES,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  return child;
}

/** Starts the emulator as its own process; returns the URL that it prints. */
async function startServer(env?: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = spawnServer(env);
  if (!child.stdout) throw new Error('no output to read');
  const [line] = await once(createInterface(child.stdout), 'line');
  const url = /^gateway-emulator listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(String(line))?.[1];
  if (!url) throw new Error(`unexpected first line: ${line}`);
  return { child, url };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

it('every answered charge is there after a kill in the middle of others', async () => {
  const answered: string[] = [];
  for (const _ of [1, 2, 3]) {
    const { child, url } = await startServer();
    const portal = await GatewayClient.of(url);
    const enough = new Promise<void>((resolve) => {
      const pay = async (): Promise<void> => {
        for (;;) {
          const answer = await portal.run('cc:authonly', { amount: '1.00', ...card() });
          answered.push(answer.key);
          if (answered.length % 40 === 0) resolve();
        }
      };
      for (const __ of [1, 2, 3, 4]) pay().catch(() => undefined);
    });
    await enough;
    await kill(child);
  }
  const { child, url } = await startServer();
  const rows = await control(url, 'GET', 'ledger');
  const keys = new Set(rows.map(({ key }: { key: string }) => key));
  expect(answered.filter((key) => !keys.has(key))).toEqual([]);
  expect(new Set(rows.map(({ refnum }: { refnum: string }) => refnum)).size).toBe(rows.length);
  await kill(child);
});

it('a commit is over only when its lines are in the file', async () => {
  const ledger = await Ledger.open(folder);
  const tokens = ['one', 'two', 'three'].map((key) => ({
    key,
    number: '4000100011112224',
    expiration: '1230',
  }));
  // Synchronous: what isn't written by now would be lost in a kill.
  const written = (): string => readFileSync(join(folder, 'ledger.jsonl'), 'utf8');
  await Promise.all(
    tokens.map(async (put) => {
      await ledger.commit([{ table: 'tokens', put }]);
      expect(written()).toContain(`"${put.key}"`);
    }),
  );
  await ledger.close();
});

it('captures, tokens, customers and batches are there after a kill', async () => {
  const before = await startServer();
  const portal = await GatewayClient.of(before.url);
  const held = await portal.run('cc:authonly', {
    amount: '2.00',
    orderid: 'mine',
    save_card: true,
    ...card(),
  });
  await portal.run('cc:capture', { trankey: held.key });
  const rows = await control(before.url, 'GET', 'ledger');
  await kill(before.child);

  const after = await startServer();
  const again = await GatewayClient.of(after.url);
  expect(await control(after.url, 'GET', 'ledger')).toEqual(rows);
  expect(await again.get('/batches/current')).toMatchObject({ sales_count: 1, sales_amount: 2 });
  const creditcard = { number: held.savedcard.key };
  expect(await again.run('sale', { amount: '1.00', creditcard })).toMatchObject({ result_code: 'A' });
});

it('a torn last line is dropped, and what comes next is kept', async () => {
  const first = await startEmulator({ dataDir: folder });
  const held = await (await GatewayClient.of(first.url)).run('cc:authonly', { amount: '1.00', ...card() });
  await first.close();
  await appendFile(join(folder, 'ledger.jsonl'), '{"changes":[{"table":"transac');

  const second = await startEmulator({ dataDir: folder });
  const next = await (await GatewayClient.of(second.url)).run('cc:authonly', { amount: '1.00', ...card() });
  await second.close();

  const third = await startEmulator({ dataDir: folder });
  const keys = (await control(third.url, 'GET', 'ledger')).map(({ key }: { key: string }) => key);
  await third.close();
  expect(keys).toEqual([held.key, next.key]);
});

it('a reset empties the ledger for good, and keeps the tokens', async () => {
  const first = await startEmulator({ dataDir: folder });
  const portal = await GatewayClient.of(first.url);
  const held = await portal.run('cc:authonly', { amount: '1.00', save_card: true, ...card() });
  await control(first.url, 'POST', 'reset');
  expect(await portal.get('/transactions')).toMatchObject({ data: [], total: '0' });
  await first.close();

  const second = await startEmulator({ dataDir: folder });
  expect(await control(second.url, 'GET', 'ledger')).toEqual([]);
  const again = await GatewayClient.of(second.url);
  const creditcard = { number: held.savedcard.key };
  expect(await again.run('sale', { amount: '1.00', creditcard })).toMatchObject({ result_code: 'A' });
  await second.close();
});

it('no CVC is ever written', async () => {
  const emulator = await startEmulator({ dataDir: folder });
  const portal = await GatewayClient.of(emulator.url);
  const payment_key = await portal.paymentKey('4000100111112223', '32199');
  await portal.run('cc:authonly', { amount: '1.00', ...card('4000100011112224', { cvc: '98765' }) });
  await portal.run('cc:authonly', { amount: '1.00', payment_key });
  await emulator.close();
  const lines = await readFile(join(folder, 'ledger.jsonl'), 'utf8');
  expect(lines).not.toMatch(/\b(98765|32199)\b/);
});

it('the ledger call shows exactly the fields that it promises', async () => {
  const emulator = await startEmulator();
  const portal = await GatewayClient.of(emulator.url);
  const held = await portal.run('cc:authonly', { amount: '1.00', orderid: 'mine', invoice: '5', ...card() });
  const rows = await control(emulator.url, 'GET', 'ledger');
  await emulator.close();
  expect(rows).toEqual([
    {
      key: held.key,
      refnum: held.refnum,
      merchant: 'portal',
      command: 'cc:authonly',
      trantype_code: 'A',
      status_code: 'P',
      result_code: 'A',
      amount: '1.00',
      orderid: 'mine',
      invoice: '5',
      email: '',
      created: expect.any(String),
      original: '',
      clerk: '',
      batch: '',
    },
  ]);
});

it.each(['SIGTERM', 'SIGINT'] as const)('the server ends cleanly on %s', async (signal) => {
  const { child, url } = await startServer();
  // A hanging call must not delay the shutdown.
  await control(url, 'POST', 'faults', { fault: 'hang', command: 'list' });
  const portal = await GatewayClient.of(url);
  const hanging = portal.get('/transactions').catch(() => 'cut off');
  await expect.poll(() => control(url, 'GET', 'faults')).toEqual([]);
  const exited = once(child, 'exit');
  child.kill(signal);
  expect(await exited).toEqual([0, null]);
  expect(await hanging).toBe('cut off');
});

it.each([
  [{ NODE_ENV: 'production' }, 'NODE_ENV=production'],
  [{ EMULATOR_SWITCHES: '{"rateLimits":true}' }, 'unknown switch rateLimits'],
  [{ EMULATOR_SWITCHES: '{"rateLimit":"yes"}' }, 'rateLimit takes a boolean'],
])('the server refuses to start with %o', async (env, reason) => {
  const child = spawnServer(env);
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint += chunk;
  });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(complaint).toContain(reason);
});

it('the server takes its switches from the environment', async () => {
  const { url } = await startServer({ EMULATOR_SWITCHES: '{"rateLimit":true,"foldingMode":"O"}' });
  expect(await control(url, 'GET', 'switches')).toMatchObject({ rateLimit: true, foldingMode: 'O' });
});

it('two emulators in one process share nothing', async () => {
  const [one, other] = [await startEmulator(), await startEmulator()];
  await (await GatewayClient.of(one.url)).run('sale', { amount: '1.00', ...card() });
  await control(one.url, 'POST', 'faults', { fault: 'hang' });
  expect(await control(other.url, 'GET', 'ledger')).toEqual([]);
  expect(await control(other.url, 'GET', 'faults')).toEqual([]);
  await Promise.all([one.close(), other.close()]);
});
