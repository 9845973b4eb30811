import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../../tools/machine/find-free-port.ts';
import { root } from '../../../tools/root.ts';
import { ADVISORY_LOCKS } from '../src/db/advisory-locks.ts';
import { type Database, openDatabase } from '../src/db/client.ts';
import { MOST_UNANSWERED } from '../src/http/limit-unanswered.ts';
import { TEST_SECRETS } from './build-test-app.ts';
import { buildServer } from './bundle.ts';
import { createTestDatabase, type TestDatabase } from './database/postgres.ts';
import { useEmulator } from './emulator.ts';
import { makeInvoice } from './factories/invoices.ts';
import { gatewaySettings, guestSale } from './factories/payments/payments.ts';

/** A process starts slowly on a busy machine. */
const LONG = { timeout: 90_000 };

const emulator = useEmulator();

let own: TestDatabase;
let db: Database;
let running: ChildProcess | undefined;

beforeAll(async () => {
  own = await createTestDatabase();
  db = openDatabase({ url: own.url, poolSize: 2 });
});
afterEach(async () => {
  await emulator.clearFaults();
  if (running?.exitCode === null && running.kill('SIGKILL')) await once(running, 'exit');
});
afterAll(async () => {
  await db.close();
  await own.drop();
});

const { serve } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;

/** The portal as `npm run serve` runs it: its own process, controlled only by signals, which npm passes to its shell alone. */
async function launch(
  { port, metricsPort }: { port: number; metricsPort: number },
  settings: Record<string, string> = {},
  stdout: 'pipe' | number = 'pipe',
  stderr: 'inherit' | 'pipe' = 'inherit',
) {
  await buildServer();
  const child = spawn('sh', ['-c', serve], {
    cwd: root,
    stdio: ['ignore', stdout, stderr],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      METRICS_PORT: String(metricsPort),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      OFFICE_URL: `http://localhost:${port}`,
      DATABASE_URL: own.url,
      ...gatewaySettings(emulator, await emulator.merchant('portal')),
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'pay@example.com',
      API_SECRET: TEST_SECRETS.apiSecret,
      OFFICE_API_KEY: 'an office key that nobody guesses',
      TOKEN_SECRET: 'a token secret that is only for tests',
      DATA_KEY: 'a data key that is used only in tests',
      MAX_LAG_MILLISECONDS: '0',
      ...settings,
    },
  });
  running = child;
  return child;
}

async function start(settings: Record<string, string> = {}, stdout: 'pipe' | number = 'pipe') {
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${port}`;
  const child = await launch({ port, metricsPort }, settings, stdout);
  let log = '';
  child.stdout?.on('data', (text) => {
    log += text;
  });
  const ready = () =>
    fetch(`${url}/api/health/ready`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(ready).toBe(200);
  const pay = async () => {
    const body = JSON.stringify(await guestSale(emulator, await makeInvoice(db.query)));
    const headers = { 'content-type': 'application/json', 'x-apisecret': TEST_SECRETS.apiSecret };
    return fetch(`${url}/api/usaepay/guestsale`, { method: 'POST', headers, body });
  };
  const states = async () => (await db.pool.query('SELECT state FROM charge')).rows.map((row) => row.state);
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  return { child, ready, pay, states, port, metricsPort, metricsUrl, log: () => log };
}

test(
  'a signal drains the portal, finishes its payments and ends it; each line of its log is one event',
  LONG,
  async () => {
    const portal = await start({ DRAIN_SECONDS: '3' });
    expect(await (await fetch(portal.metricsUrl)).text()).toContain('portal_database_up 1');
    const goOn = await emulator.hold();
    const paying = portal.pay();
    await expect.poll(portal.states).not.toEqual([]);

    const ended = once(portal.child, 'exit');
    portal.child.kill('SIGTERM');
    // Still running, but not taking new work.
    await expect.poll(portal.ready).toBe(503);
    await goOn();
    expect((await paying).status).toBe(200);
    expect(await ended).toEqual([0, null]);
    const events = portal
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events).toContainEqual(
      expect.objectContaining({ msg: 'request', route: '/api/usaepay/guestsale', status: 200 }),
    );
    expect(events.filter(({ level }) => level === 'error')).toEqual([]);
  },
);

test('a second signal ends it at once, and what it had begun is abandoned by the next', LONG, async () => {
  const portal = await start();
  await emulator.script({ fault: 'hang', when: 'before', seconds: 60, command: 'authonly' });
  const paying = portal.pay().catch(() => null);
  await expect.poll(portal.states).toContain('authorising');
  const again = () => {
    portal.child.kill('SIGTERM');
    return portal.child.exitCode;
  };
  await expect.poll(again, { interval: 200 }).toBe(1);
  expect(await paying).toBeNull();
});

test(
  'connections that nobody ends or reads hold up no end in order, and what is worked on is answered',
  LONG,
  async () => {
    const portal = await start();
    const open = (bytes: string) => {
      const client = connect({ port: portal.port, host: '127.0.0.1', allowHalfOpen: true });
      return client.on('error', () => {}).on('connect', () => client.write(bytes));
    };
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const silent = [
      open('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '),
      open('not HTTP\r\n\r\n'),
      open(get('/api/health/live')),
      open(get('/api/openapi.json').repeat(MOST_UNANSWERED)),
    ];
    for (const client of silent.slice(1)) {
      await once(client, 'data');
      client.pause();
    }
    const before = await portal.states();
    const goOn = await emulator.hold();
    const paying = portal.pay();
    await expect.poll(portal.states).toHaveLength(before.length + 1);

    const ended = once(portal.child, 'exit');
    portal.child.kill('SIGTERM');
    await goOn();
    expect((await paying).status).toBe(200);
    expect(await ended).toEqual([0, null]);
    for (const client of silent) client.destroy();
  },
);

test(
  'a signal ends a portal that is still starting, which could be the first process of a container',
  LONG,
  async () => {
    const other = new pg.Client({ connectionString: own.url });
    await other.connect();
    try {
      await other.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
      const child = await launch({ port: await findFreePort(), metricsPort: await findFreePort() });
      const ended = once(child, 'exit');
      await expect
        .poll(
          async () =>
            (
              await other.query(
                `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
              )
            ).rowCount,
        )
        .toBe(1);
      child.kill('SIGTERM');
      // By itself, not by the signal, which has no effect of its own there.
      expect(await ended).toEqual([0, null]);
    } finally {
      await other.end();
    }
  },
);

test('a log that cannot be written stops nothing', LONG, async () => {
  const portal = await start({}, openSync('/dev/full', 'w'));
  expect((await portal.pay()).status).toBe(200);
  expect(portal.child.exitCode).toBeNull();
});

/** Sends bytes and resets the connection before anybody can have read them. */
async function sendAndReset(port: number, bytes: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  socket.resetAndDestroy();
}

test.each([
  ['behind no proxy', {}],
  ['behind a list of proxies', { TRUST_PROXY: '127.0.0.1,10.0.0.0/8' }],
  ['behind a number of proxies', { TRUST_PROXY: '1' }],
])(
  'whoever resets connections as soon as they have asked ends nothing, %s',
  LONG,
  async (_where, settings) => {
    const portal = await start(settings);
    const head = 'Host: x\r\nX-APISecret: test-api-secret\r\nContent-Type: application/json\r\n';
    const requests = [
      `GET /api/health/live HTTP/1.1\r\n${head}\r\n`,
      `GET /api/health/live HTTP/1.1\r\n${head}X-Forwarded-For: 198.51.100.7\r\n\r\n`,
      `GET /nothing/here HTTP/1.1\r\n${head}\r\n`,
      `GET /api/%zz HTTP/1.1\r\n${head}\r\n`,
      `POST /api/user/invoice/search HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n{}`,
      `POST /api/office/import HTTP/1.1\r\n${head}Authorization: Bearer wrong\r\nContent-Length: 20\r\n\r\n{`,
      `CONNECT example.com:443 HTTP/1.1\r\n${head}\r\n`,
      `GET /api/health/live HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      `POST /api/user HTTP/1.1\r\n${head}Expect: anything\r\nContent-Length: 2\r\n\r\n`,
      'not HTTP\r\n\r\n',
    ];
    for (let time = 0; time < 20; time++) {
      await Promise.all(requests.map((bytes) => sendAndReset(portal.port, bytes)));
      await sendAndReset(portal.metricsPort, 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
    }
    expect(await portal.ready()).toBe(200);
    expect((await fetch(portal.metricsUrl)).status).toBe(200);
    expect((await portal.pay()).status).toBe(200);
    expect(portal.child.exitCode).toBeNull();
    expect(portal.log()).not.toMatch(/"level":"(error|fatal)"/);
  },
);

/** Starts a portal that ends by itself. Returns what it said at last. */
async function startInVain(port: number, settings: Record<string, string> = {}): Promise<string> {
  const child = await launch({ port, metricsPort: await findFreePort() }, settings, 'pipe', 'pipe');
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  expect((await once(child, 'close'))[0]).toBe(1);
  return said;
}

test('a portal that cannot listen ends, and does not work on unseen', LONG, async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  expect(await startInVain(port)).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
  taken.close();
});

test('a start that the database lets prepare but not connect says why', LONG, async () => {
  const url = new URL(own.url);
  url.pathname = '/nowhere';
  const settings = { MIGRATION_DATABASE_URL: own.url, DATABASE_URL: url.href };
  expect(await startInVain(await findFreePort(), settings)).toBe(
    'The database of DATABASE_URL cannot be reached: database "nowhere" does not exist\n',
  );
});

test('a start whose statement the database refuses says why, and no value of it', LONG, async () => {
  const readOnly = `${own.url}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
  expect(await startInVain(await findFreePort(), { DATABASE_URL: readOnly })).toBe(
    'The database of DATABASE_URL cannot be prepared: cannot execute CREATE SCHEMA in a read-only transaction\n',
  );
  await db.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the disk is full'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON merchant_account EXECUTE FUNCTION refuse()`);
  expect(await startInVain(await findFreePort(), { USAEPAY_PIN: '5555' })).toBe('the disk is full\n');
  await db.pool.query('DROP FUNCTION refuse CASCADE');
});
