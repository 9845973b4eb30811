import { availableParallelism } from 'node:os';
import pg from 'pg';
import type { BenchFigure } from '../../../tools/bench.ts';
import { hashPassword, verifyPassword } from '../src/modules/auth/password-hash.ts';
import { mannWhitneyP } from '../test/mann-whitney.ts';
import { BENCH_SECRETS, type BenchPortal, withBenchPortal } from './bench-portal.ts';

const PASSWORD = 'measured again and again';
const ACCOUNTS = 400;
const AT_ONCE = 8;

/** What signing in and refreshing cost, and whether the time of an answer tells which addresses have an account. */
export default async function signInBench({ short }: { short: boolean }): Promise<BenchFigure[]> {
  const hash = await hashPassword(PASSWORD);
  const hashesPerSecond = await rate(short ? 100 : 400, availableParallelism(), () =>
    verifyPassword(hash, PASSWORD),
  );
  return withBenchPortal({ TRUST_PROXY: '1' }, async (portal) => {
    await makeAccounts(portal, hash);
    const people = Array.from({ length: ACCOUNTS }, (_, index) => person(index));
    const refreshTokens: string[] = [];

    const signInsPerSecond = await rate(ACCOUNTS, AT_ONCE, async (index) => {
      const answer = await signIn(portal, { ...people[index % ACCOUNTS], password: PASSWORD });
      refreshTokens.push(((await answer.json()) as { refreshToken: string }).refreshToken);
    });
    const refreshesPerSecond = await rate(short ? 500 : 4000, AT_ONCE, async (index) => {
      const place = index % refreshTokens.length;
      const answer = await post(portal, '/authentication/refresh', { refreshToken: refreshTokens[place] });
      refreshTokens[place] = ((await answer.json()) as { refreshToken: string }).refreshToken;
    });
    const { unknown, wrong } = await timesOfFailures(portal, short ? 50 : 200);
    const health = await healthDuringSignIns(portal, people);

    return [
      { name: 'sign-ins, all right', value: signInsPerSecond, unit: '/s' },
      { name: 'password hashings alone', value: hashesPerSecond, unit: '/s' },
      { name: 'share of a sign-in that is hashing', value: signInsPerSecond / hashesPerSecond, unit: '' },
      { name: 'refreshes', value: refreshesPerSecond, unit: '/s' },
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
  });
}

const person = (index: number) => ({
  email: `person${index}@example.com`,
  from: `10.0.${index >> 8}.${index & 255}`,
});

async function makeAccounts({ databaseUrl }: BenchPortal, hash: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO app_user (email, first_name, last_name, password_hash, email_confirmed_at)
       SELECT 'person' || n || '@example.com', 'Robin', 'Example', $1, now() FROM generate_series(0, $2 - 1) n`,
      [hash, ACCOUNTS],
    );
  } finally {
    await client.end();
  }
}

function post({ url }: BenchPortal, path: string, body: unknown, from = '10.9.9.9'): Promise<Response> {
  return fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: {
      'x-apisecret': BENCH_SECRETS.apiSecret,
      'content-type': 'application/json',
      'x-forwarded-for': from,
    },
    body: JSON.stringify(body),
  });
}

async function signIn(
  portal: BenchPortal,
  { email, from, password }: { email?: string; from?: string; password: string },
): Promise<Response> {
  const answer = await post(portal, '/authentication/login', { email, password }, from);
  if (!answer.ok && answer.status !== 401) throw new Error(await answer.text());
  return answer;
}

/** Addresses with and without an account take turns, each from a place of its own, so that nobody has to wait. */
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

/** Milliseconds of each health check while two hundred people sign in at the same moment. */
async function healthDuringSignIns(
  portal: BenchPortal,
  people: { email: string; from: string }[],
): Promise<number[]> {
  const taken: number[] = [];
  let isOver = false;
  const crowd = Promise.all(
    people.slice(0, 200).map(async ({ email, from }) => {
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

/** Times a second, with so many under way together. */
async function rate(
  total: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < total) await work(next++);
    }),
  );
  return total / ((performance.now() - start) / 1000);
}

const median = (values: number[]) => quantile(values, 0.5);

function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
