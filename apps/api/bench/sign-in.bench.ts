import { Agent } from 'node:http';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { hashPassword, verifyPassword } from '../src/modules/auth/passwords/password-hash.ts';
import { mannWhitneyP } from '../test/mann-whitney.ts';
import { withClient } from './rig/bench-database.ts';
import { BENCH_SECRETS, type BenchPortal, withBenchPortal } from './rig/bench-portal.ts';
import { ask } from './rig/http-load.ts';
import { cpuMilliseconds } from './rig/process-facts.ts';
import { besides, median, ofRounds, quantile } from './rig/statistics.ts';
import { takeTurns } from './rig/take-turns.ts';

const PASSWORD = 'measured again and again';
const ACCOUNTS = 400;
const AT_ONCE = 8;

/**
 * Sign-ins compared with the hash they need, refreshes compared with the commit they need, and whether response times
 * reveal which addresses have an account.
 */
export default async function signInBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const hash = await hashPassword(PASSWORD);
  return withBenchPortal(
    { TRUST_PROXY: '1' },
    async (portal) => {
      await makeAccounts(portal, hash);
      const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
      const tokenFrom = async (path: string, body: object, from?: string) => {
        const call = callOf(portal, { path, body, from });
        const answer = JSON.parse(String(await ask(call, { agent }))) as { refreshToken: string };
        return answer.refreshToken;
      };
      const people = Array.from({ length: ACCOUNTS }, (_, index) => person(index));
      const refreshTokens: string[] = [];
      let next = 0;
      const signIns = short ? 4 : 60;
      const hashing = await takeTurns(short ? 1 : 6, {
        ours: () =>
          rate(portal, signIns, async () => {
            const who = people[next++ % ACCOUNTS] ?? person(0);
            const { email, from } = who;
            refreshTokens.push(await tokenFrom('/authentication/login', { email, password: PASSWORD }, from));
          }),
        alone: () => rate({ process }, signIns, () => verifyPassword(hash, PASSWORD), availableParallelism()),
      });
      const pool = new pg.Pool({ connectionString: portal.databaseUrl, max: AT_ONCE });
      const refreshing = await takeTurns(short ? 1 : 6, {
        ours: () =>
          rate(portal, short ? 4 : 400, async () => {
            const refreshToken = refreshTokens.shift();
            refreshTokens.push(await tokenFrom('/authentication/refresh', { refreshToken }));
          }),
        alone: () =>
          rate(portal, short ? 4 : 400, (index) =>
            pool.query('UPDATE app_user SET first_name = $1 WHERE email = $2', [
              `Robin ${index}`,
              person(index % ACCOUNTS).email,
            ]),
          ),
      });
      await pool.end();
      agent.destroy();
      const { unknown, wrong } = await timesOfFailures(portal, short ? 2 : 100);
      const health = await healthDuringSignIns(portal, people.slice(0, short ? 4 : 200));
      const perSecond = ({ ours, alone }: { ours: Rate[]; alone: Rate[] }) => ({
        ours: ours.map((round) => round.perSecond),
        alone: alone.map((round) => round.perSecond),
        share: besides(
          ours.map((round) => round.perSecond),
          alone.map((round) => round.perSecond),
        ),
        cpu: ours.map((round) => round.cpu),
        cpuAlone: alone.map((round) => round.cpu),
      });
      const hashed = perSecond(hashing);
      const refreshed = perSecond(refreshing);
      return [
        ofRounds({ name: 'sign-ins', unit: '/s' }, hashed.ours),
        ofRounds({ name: 'password hashings alone', unit: '/s' }, hashed.alone),
        ofRounds({ name: 'sign-ins / hashings', unit: '', limit: { atLeast: 0.85 } }, hashed.share),
        ofRounds({ name: 'CPU of a sign-in, with its hashing', unit: 'ms' }, hashed.cpu),
        ofRounds({ name: 'CPU of a hashing alone', unit: 'ms' }, hashed.cpuAlone),
        ofRounds({ name: 'hashing in the CPU of a sign-in', unit: '' }, besides(hashed.cpuAlone, hashed.cpu)),
        ofRounds({ name: 'refreshes', unit: '/s' }, refreshed.ours),
        ofRounds({ name: 'commits of one changed row alone', unit: '/s' }, refreshed.alone),
        ofRounds({ name: 'refreshes / commits', unit: '' }, refreshed.share),
        ofRounds({ name: 'CPU of a refresh', unit: 'ms' }, refreshed.cpu),
        { name: 'median answer to an unknown address', value: median(unknown), unit: 'ms' },
        { name: 'median answer to a wrong password', value: median(wrong), unit: 'ms' },
        {
          name: 'chance that such a difference is none (Mann-Whitney p)',
          value: mannWhitneyP(unknown, wrong),
          unit: '',
          limit: { atLeast: 0.01 },
        },
        {
          name: 'p95 of the health check during 200 sign-ins at once',
          value: quantile(health, 0.95),
          unit: 'ms',
          limit: { atMost: 250 },
        },
      ];
    },
    { short },
  );
}

const person = (index: number) => ({
  email: `person${index}@example.com`,
  from: `10.0.${index >> 8}.${index & 255}`,
});

async function makeAccounts({ databaseUrl }: BenchPortal, hash: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query(
      `INSERT INTO app_user (email, first_name, last_name, password_hash, email_confirmed_at)
       SELECT 'person' || n || '@example.com', 'Robin', 'Example', $1, now() FROM generate_series(0, $2 - 1) n`,
      [hash, ACCOUNTS],
    ),
  );
}

function callOf(
  { url }: BenchPortal,
  { path, body, from = '10.9.9.9' }: { path: string; body: object; from?: string | undefined },
) {
  const headers = {
    'x-apisecret': BENCH_SECRETS.apiSecret,
    'content-type': 'application/json',
    'x-forwarded-for': from,
  };
  return { url: `${url}/api${path}`, headers, vary: () => ({ body: JSON.stringify(body) }) };
}

function post(portal: BenchPortal, path: string, body: object, from?: string): Promise<Response> {
  const { url, headers, vary } = callOf(portal, { path, body, from });
  return fetch(url, { method: 'POST', headers, ...vary() });
}

async function signIn(
  portal: BenchPortal,
  { email, from, password }: { email?: string; from?: string; password: string },
): Promise<Response> {
  const answer = await post(portal, '/authentication/login', { email, password }, from);
  if (!answer.ok && answer.status !== 401) throw new Error(await answer.text());
  return answer;
}

/** Alternates addresses with and without an account, each from a client address of its own, so that no limit applies. */
async function timesOfFailures(portal: BenchPortal, times: number) {
  const unknown: number[] = [];
  const wrong: number[] = [];
  for (let index = 0; index < times; index++) {
    const turns = [
      { into: unknown, email: `nobody${index}@example.com`, from: `10.1.${index >> 8}.${index & 255}` },
      { into: wrong, email: person(index).email, from: `10.2.${index >> 8}.${index & 255}` },
    ];
    for (const { into, email, from } of index % 2 === 0 ? turns : turns.reverse()) {
      const start = performance.now();
      await (await signIn(portal, { email, from, password: 'not that one' })).text();
      into.push(performance.now() - start);
    }
  }
  return { unknown, wrong };
}

/** Milliseconds of each health check while all these people sign in at once. */
async function healthDuringSignIns(
  portal: BenchPortal,
  people: { email: string; from: string }[],
): Promise<number[]> {
  const taken: number[] = [];
  let isOver = false;
  const crowd = Promise.all(
    people.map(async ({ email, from }) => {
      await (await post(portal, '/authentication/login', { email, password: PASSWORD }, from)).text();
    }),
  ).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const start = performance.now();
    await (await fetch(`${portal.url}/api/health/live`)).text();
    taken.push(performance.now() - start);
  }
  await crowd;
  return taken;
}

type Rate = { perSecond: number; cpu: number };

/** Runs per second with that many in parallel, and the CPU time of each in this process. */
async function rate(
  { process: measured }: { process: { pid?: number | undefined } },
  total: number,
  work: (index: number) => Promise<unknown>,
  atOnce: number = AT_ONCE,
): Promise<Rate> {
  let next = 0;
  const before = cpuMilliseconds(measured.pid);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < total) await work(next++);
    }),
  );
  return {
    perSecond: total / ((performance.now() - start) / 1000),
    cpu: (cpuMilliseconds(measured.pid) - before) / total,
  };
}
