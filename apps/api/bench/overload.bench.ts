import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchFigure } from '../../../tools/bench/bench.ts';
import { hashPassword } from '../src/modules/auth/passwords/password-hash.ts';
import { withClient } from './rig/bench-database.ts';
import { BENCH_SECRETS, type BenchPortal, withBenchPortal } from './rig/bench-portal.ts';
import { type KeptConnections, keepConnections } from './rig/kept-connections.ts';
import { cpuMilliseconds, residentMegabytes } from './rig/process-facts.ts';
import { besides, ofRounds, quantile } from './rig/statistics.ts';

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
type Outcome = Record<Result, number[]> & {
  /** Answers within that time; those to what was sent last come later. */
  perSecond: number;
  peakMegabytes: number;
  /** Of one core, used by whoever asked. */
  askersCores: number;
};

/** How the signed-in list copes with as many calls as it can answer, and with twice as many, in turns. */
export default async function overloadBench({ short }: { short: boolean }): Promise<BenchFigure[]> {
  const seconds = short ? 0.5 : 5;
  return withBenchPortal(
    {},
    async (portal) => {
      await makeList(portal, await hashPassword(PASSWORD));
      const connections = await signedIn(portal);
      const ask = () => resultOf(connections);
      await closedLoop(ask, short ? 0.2 : 4);
      const able: number[] = [];
      const once: Outcome[] = [];
      const twice: Outcome[] = [];
      for (let round = 0; round < (short ? 1 : 6); round++) {
        const capacity = await closedLoop(ask, seconds);
        able.push(capacity);
        once.push(await openLoop(portal, ask, { perSecond: capacity, seconds }));
        twice.push(await openLoop(portal, ask, { perSecond: capacity * 2, seconds }));
      }
      const stopped = performance.now();
      const afterwards = await ask();
      const recovery = performance.now() - stopped;
      connections.close();
      const all = (outcomes: Outcome[], result: Result) => outcomes.flatMap((outcome) => outcome[result]);
      const rates = (outcomes: Outcome[]) => outcomes.map((outcome) => outcome.perSecond);
      const turnedAway = twice.map((each) => each['turned away'].length / sentIn(each));
      return [
        ofRounds({ name: 'answers a second, asked in turn', unit: '/s' }, able),
        ofRounds({ name: 'answers a second, asked as often', unit: '/s' }, rates(once)),
        ofRounds({ name: 'answers a second, asked twice as often', unit: '/s' }, rates(twice)),
        ofRounds(
          {
            name: 'of what it can do, done when asked twice as often',
            unit: '',
            limit: { atLeast: 0.8 },
          },
          besides(rates(twice), able),
        ),
        ofRounds({ name: 'turned away then', unit: '' }, turnedAway),
        {
          name: 'neither answered nor turned away then',
          value: all(twice, 'failed').length,
          unit: '',
          limit: { atMost: 0 },
        },
        ofRounds(
          { name: 'cores of who asks then', unit: '' },
          twice.map((each) => each.askersCores),
        ),
        {
          name: 'p95 of an answer, asked as often',
          value: quantile(all(once, 'answered'), 0.95),
          unit: 'ms',
        },
        {
          name: 'p95 of an answer, asked twice as often',
          value: quantile(all(twice, 'answered'), 0.95),
          unit: 'ms',
          limit: { atMost: 2_000 },
        },
        {
          name: 'p95 of being turned away',
          value: quantile(all(twice, 'turned away'), 0.95),
          unit: 'ms',
          limit: { atMost: 2_000 },
        },
        {
          name: 'most memory then',
          value: Math.max(...twice.map((each) => each.peakMegabytes)),
          unit: 'MB',
          limit: { atMost: 512 },
        },
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

const sentIn = (outcome: Outcome): number =>
  outcome.answered.length + outcome['turned away'].length + outcome.failed.length;

async function makeList({ databaseUrl }: BenchPortal, passwordHash: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
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
    await client.query('VACUUM ANALYZE');
  });
}

/** Requests the list once. */
type Ask = () => Promise<Result>;

/** Connections that ask for the list, signed in. */
async function signedIn({ url }: BenchPortal): Promise<KeptConnections> {
  const headers = { 'x-apisecret': BENCH_SECRETS.apiSecret, 'content-type': 'application/json' };
  const body = JSON.stringify({ email: EMAIL, password: PASSWORD });
  const answer = await fetch(`${url}/api/authentication/login`, { method: 'POST', headers, body });
  const { accessToken } = (await answer.json()) as { accessToken: string };
  return keepConnections({
    url: new URL(`${url}/api/user/invoice`),
    headers: { ...headers, authorization: `Bearer ${accessToken}` },
    count: CONNECTIONS,
  });
}

async function resultOf(connections: KeptConnections): Promise<Result> {
  try {
    const { status, head, body } = await connections.ask();
    if (status === 200 && body.length > 0) return 'answered';
    const isBusy = status === 503 && body.includes('"Busy"') && /^retry-after: \d+$/im.test(head);
    return isBusy ? 'turned away' : 'failed';
  } catch {
    return 'failed';
  }
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
  const told: Record<Result, number[]> = { answered: [], 'turned away': [], failed: [] };
  let peakMegabytes = 0;
  const cpuBefore = cpuMilliseconds(process.pid);
  const start = performance.now();
  const underWay: Promise<void>[] = [];
  const send = async () => {
    const sentAt = performance.now();
    told[await ask()].push(performance.now() - sentAt);
  };
  for (let sent = 0; performance.now() - start < seconds * 1000; await sleep(TICK_MILLISECONDS)) {
    const due = ((performance.now() - start) / 1000) * perSecond;
    for (; sent < due; sent++) underWay.push(send());
    peakMegabytes = Math.max(peakMegabytes, residentMegabytes(portal.pid));
  }
  const taken = (performance.now() - start) / 1000;
  const inTime = told.answered.length;
  const askersCores = (cpuMilliseconds(process.pid) - cpuBefore) / 1000 / taken;
  await Promise.all(underWay);
  return { ...told, perSecond: inTime / taken, peakMegabytes, askersCores };
}
