import { readFileSync } from 'node:fs';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchFigure } from '../../../tools/bench/bench.ts';
import { hashPassword } from '../src/modules/auth/passwords/password-hash.ts';
import { BENCH_SECRETS, type BenchPortal, withBenchPortal } from './rig/bench-portal.ts';

const EMAIL = 'busy@example.com';
const PASSWORD = 'asked more than it can do';
const INVOICES = 20;
const AT_ONCE = 16;
const TICK_MILLISECONDS = 10;
/** Kept open like a proxy's: Node accepts only one new connection per event loop turn. */
const CONNECTIONS = 512;

/** A call's outcome; a refusal without `Retry-After` or in the wrong shape has failed. */
type Result = 'answered' | 'turned away' | 'failed';

/** The outcomes of the calls sent within a time, with the milliseconds of each. */
type Outcome = Record<Result, number[]> & { seconds: number; peakMegabytes: number };

/** How the signed-in list copes with as many calls as it can answer, and with twice as many. */
export default async function overloadBench({ short }: { short: boolean }): Promise<BenchFigure[]> {
  const seconds = short ? 0.5 : 15;
  return withBenchPortal(
    {},
    async (portal) => {
      await makeList(portal, await hashPassword(PASSWORD));
      const ask = await signedIn(portal);
      await Promise.all(Array.from({ length: CONNECTIONS }, ask));
      await closedLoop(ask, short ? 0.2 : 2);
      const capacity = await closedLoop(ask, seconds);
      const once = await openLoop(portal, ask, { perSecond: capacity, seconds });
      const twice = await openLoop(portal, ask, { perSecond: capacity * 2, seconds });
      const stopped = performance.now();
      const afterwards = await ask();
      const recovery = performance.now() - stopped;
      const sent = twice.answered.length + twice['turned away'].length + twice.failed.length;
      return [
        { name: 'answers a second, asked in turn', value: capacity, unit: '/s' },
        { name: 'answers a second, asked as often', value: once.answered.length / once.seconds, unit: '/s' },
        {
          name: 'answers a second, asked twice as often',
          value: twice.answered.length / twice.seconds,
          unit: '/s',
        },
        {
          name: 'of what it can do, done when asked twice as often',
          value: twice.answered.length / twice.seconds / capacity,
          unit: '',
          limit: { atLeast: 0.8 },
        },
        { name: 'turned away then', value: twice['turned away'].length / sent, unit: '' },
        {
          name: 'neither answered nor turned away then',
          value: twice.failed.length,
          unit: '',
          limit: { atMost: 0 },
        },
        { name: 'p95 of an answer, asked as often', value: quantile(once.answered, 0.95), unit: 'ms' },
        {
          name: 'p95 of an answer, asked twice as often',
          value: quantile(twice.answered, 0.95),
          unit: 'ms',
          limit: { atMost: 2_000 },
        },
        {
          name: 'p95 of being turned away',
          value: quantile(twice['turned away'], 0.95),
          unit: 'ms',
          limit: { atMost: 2_000 },
        },
        { name: 'most memory then', value: twice.peakMegabytes, unit: 'MB', limit: { atMost: 512 } },
        {
          name: 'answers afterwards',
          value: afterwards === 'answered' ? 1 : 0,
          unit: '',
          limit: { atLeast: 1 },
        },
        { name: 'the first of them', value: recovery, unit: 'ms' },
      ];
    },
    { short },
  );
}

async function makeList({ databaseUrl }: BenchPortal, passwordHash: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO franchise (id, name, time_zone) VALUES (1, 'Clear View', 'America/Chicago')`,
    );
    await client.query(`INSERT INTO customer (franchise_id, number, name) VALUES (1, 1, 'Robin')`);
    await client.query(`
      INSERT INTO location (franchise_id, number, customer_id, description, address_line1, city, state, zip_code, zip_key)
      SELECT 1, 1, id, 'Home', 'Maple Street 12', 'Springfield', 'IL', '62704', '62704' FROM customer`);
    await client.query(
      `INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents, tax_rate_ppm, tips_enabled)
       SELECT 1, n, l.id, 'Windows', 10825, 825, 82500, true FROM location l, generate_series(1, $1) n`,
      [INVOICES],
    );
    await client.query(
      `INSERT INTO app_user (email, first_name, last_name, password_hash, email_confirmed_at)
       VALUES ($1, 'Robin', 'Example', $2, now())`,
      [EMAIL, passwordHash],
    );
    await client.query(`
      INSERT INTO user_location (user_id, location_id, linked_at) SELECT u.id, l.id, now() FROM app_user u, location l`);
  } finally {
    await client.end();
  }
}

/** Requests the list once. */
type Ask = () => Promise<Result>;

async function signedIn({ url }: BenchPortal): Promise<Ask> {
  const headers = { 'x-apisecret': BENCH_SECRETS.apiSecret, 'content-type': 'application/json' };
  const body = JSON.stringify({ email: EMAIL, password: PASSWORD });
  const answer = await fetch(`${url}/api/authentication/login`, { method: 'POST', headers, body });
  const { accessToken } = (await answer.json()) as { accessToken: string };
  const options = {
    agent: new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS }),
    headers: { ...headers, authorization: `Bearer ${accessToken}` },
  };
  return () =>
    new Promise((resolve) => {
      const request = http.get(`${url}/api/user/invoice`, options, async (response) => {
        const told = await text(response).catch(() => '');
        if (response.statusCode === 200 && told !== '') return resolve('answered');
        const isBusy = response.statusCode === 503 && told.includes('"Busy"');
        resolve(isBusy && response.headers['retry-after'] ? 'turned away' : 'failed');
      });
      request.once('error', () => resolve('failed'));
    });
}

async function closedLoop(ask: Ask, seconds: number): Promise<number> {
  const start = performance.now();
  let answered = 0;
  const work = async () => {
    while (performance.now() - start < seconds * 1000) if ((await ask()) === 'answered') answered++;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answered / ((performance.now() - start) / 1000);
}

/** Sends calls at a steady rate whatever comes back, like many independent people. */
async function openLoop(
  { process: portal }: BenchPortal,
  ask: Ask,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Outcome> {
  const outcome: Outcome = { answered: [], 'turned away': [], failed: [], seconds, peakMegabytes: 0 };
  const start = performance.now();
  const under: Promise<void>[] = [];
  const send = async () => {
    const sentAt = performance.now();
    outcome[await ask()].push(performance.now() - sentAt);
  };
  for (let sent = 0; performance.now() - start < seconds * 1000; await sleep(TICK_MILLISECONDS)) {
    const due = ((performance.now() - start) / 1000) * perSecond;
    for (; sent < due; sent++) under.push(send());
    outcome.peakMegabytes = Math.max(outcome.peakMegabytes, residentMegabytes(portal.pid));
  }
  await Promise.all(under);
  outcome.seconds = (performance.now() - start) / 1000;
  return outcome;
}

function residentMegabytes(pid: number | undefined): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
