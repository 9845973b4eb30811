import { beforeEach, describe, expect, test } from 'vitest';
import { call, TEST_SECRETS, useTestApp } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { signInUser } from '../../../test/factories/users.ts';
import { mannWhitneyP } from '../../../test/mann-whitney.ts';

const portal = useTestApp({ TRUST_PROXY: '1' });
const unproxied = useTestApp();
const START = new Date('2026-11-15T18:00:00Z');

beforeEach(() => {
  portal.now = START;
});

let lastAddress = 0;
const freshAddress = () => `10.9.${++lastAddress >> 8}.${lastAddress & 255}`;

type Numbers = { franchiseId: number; workOrderNumber: number; zipCode: string };
const only = ({ franchiseId, workOrderNumber, zipCode }: Numbers): Numbers => ({
  franchiseId,
  workOrderNumber,
  zipCode,
});

const search = (numbers: Numbers, from: string) =>
  call(portal, 'POST', '/user/invoice/search', {
    body: only(numbers),
    headers: { 'x-forwarded-for': from },
  });

const addLocation = (token: string, numbers: Numbers, from: string) =>
  call(portal, 'POST', '/user/location', {
    token,
    body: only(numbers),
    headers: { 'x-forwarded-for': from },
  });

async function timed<Answer>(ask: () => Promise<Answer>): Promise<{ answer: Answer; milliseconds: number }> {
  const start = performance.now();
  const answer = await ask();
  return { answer, milliseconds: performance.now() - start };
}

const SURELY_DIFFERENT = 1e-5;
/** Fits more than a thousand calls in sequence. */
const BUSY_MACHINE_MILLISECONDS = 120_000;

describe('a thousand zip codes at one invoice', () => {
  test(
    'find nothing, the right one among them, and no answer differs in words or time',
    async () => {
      const made = await makeInvoice(portal.deps.db.query, { zipCode: '62704' });
      const from = freshAddress();
      const times: Record<'right' | 'wrong', number[]> = { right: [], wrong: [] };
      const bodies = new Set<string>();
      for (let guess = 0; guess < 1000; guess++) {
        // The right code comes often enough to compare times, but not before further guesses are refused.
        const isRight = guess > 5 && guess % 2 === 0;
        const zipCode = isRight ? made.zipCode : String(10_000 + guess);
        const { answer, milliseconds } = await timed(() => search({ ...made, zipCode }, from));
        expect(answer.statusCode).toBe(guess < 5 ? 404 : 429);
        if (guess < 5) continue;
        bodies.add(answer.body + answer.headers['retry-after']);
        times[isRight ? 'right' : 'wrong'].push(milliseconds);
      }
      expect(bodies.size).toBe(1);
      expect(mannWhitneyP(times.right, times.wrong)).toBeGreaterThan(SURELY_DIFFERENT);
    },
    BUSY_MACHINE_MILLISECONDS,
  );

  test('from many addresses does not tell a wrong zip code from a missing work order', async () => {
    const made = await makeInvoice(portal.deps.db.query);
    const times: number[][] = [[], []];
    const bodies = new Set<string>();
    for (let guess = 0; guess < 400; guess++) {
      const numbers =
        guess % 2 === 0 ? { ...made, zipCode: '10001' } : { ...made, workOrderNumber: 900_000 + guess };
      const { answer, milliseconds } = await timed(() => search(numbers, freshAddress()));
      expect(answer.statusCode).toBe(404);
      bodies.add(answer.body);
      times[guess % 2]?.push(milliseconds);
    }
    expect(bodies.size).toBe(1);
    expect(mannWhitneyP(times[0] ?? [], times[1] ?? [])).toBeGreaterThan(SURELY_DIFFERENT);
  });
});

test(
  'whoever scans work orders all day gets sixty of them judged, a customer with two typos her invoice',
  async () => {
    const franchise = await makeInvoice(portal.deps.db.query);
    const from = freshAddress();
    let judged = 0;
    for (let minute = 0; minute < 24 * 60; minute += 10) {
      portal.now = new Date(START.getTime() + minute * 60_000);
      for (let tries = 0; tries < 12; tries++) {
        const workOrderNumber = 500_000 + minute * 12 + tries;
        if ((await search({ ...franchise, workOrderNumber }, from)).statusCode === 404) judged++;
      }
    }
    expect(judged).toBe(60);

    const home = freshAddress();
    const own = await makeInvoice(portal.deps.db.query);
    await search({ ...own, zipCode: '62740' }, home);
    await search({ ...own, workOrderNumber: own.workOrderNumber + 500_000 }, home);
    expect((await search(own, home)).statusCode).toBe(200);
  },
  BUSY_MACHINE_MILLISECONDS,
);

describe('adding locations', () => {
  test('many accounts at one address count as one guesser', async () => {
    const made = await makeInvoice(portal.deps.db.query);
    const from = freshAddress();
    const wrong = (guess: number) => ({ ...made, workOrderNumber: made.workOrderNumber + 500_000 + guess });
    for (let guess = 0; guess < 10; guess++) {
      const { token } = await signInUser(portal);
      expect((await addLocation(token, wrong(guess), from)).statusCode).toBe(404);
    }
    const { token } = await signInUser(portal);
    const hit = await addLocation(token, made, from);
    const miss = await addLocation(token, wrong(11), from);
    expect([hit.statusCode, miss.statusCode]).toEqual([429, 429]);
    expect(hit.body).toBe(miss.body);
    expect((await addLocation(token, made, freshAddress())).statusCode).toBe(204);
  });

  test('a guest’s misses count for an account at the same address', async () => {
    const made = await makeInvoice(portal.deps.db.query);
    const from = freshAddress();
    for (let guess = 0; guess < 5; guess++) await search({ ...made, zipCode: `1000${guess}` }, from);
    const { token } = await signInUser(portal);
    expect((await addLocation(token, made, from)).statusCode).toBe(429);
  });
});

const FORGED = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
];

test.each(FORGED)('without a proxy a forged %s makes nobody somebody else', async (name) => {
  const remoteAddress = `192.0.2.${FORGED.indexOf(name) + 1}`;
  const tryAs = (guess: number) =>
    unproxied.app.inject({
      method: 'POST',
      url: '/api/user/invoice/search',
      remoteAddress,
      headers: {
        'x-apisecret': TEST_SECRETS.apiSecret,
        [name]: name === 'forwarded' ? `for=198.51.100.${guess}` : `198.51.100.${guess}`,
      },
      payload: { franchiseId: 999, workOrderNumber: guess, zipCode: '62704' },
    });
  for (let guess = 1; guess <= 10; guess++) expect((await tryAs(guess)).statusCode).toBe(404);
  expect((await tryAs(11)).statusCode).toBe(429);
});
