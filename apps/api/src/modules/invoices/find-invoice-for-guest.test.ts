import { beforeEach, describe, expect, test } from 'vitest';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';

const portal = useTestApp({ TRUST_PROXY: '1' });
const START = new Date('2026-11-15T18:00:00Z');
const after = (seconds: number) => {
  portal.now = new Date(START.getTime() + seconds * 1000);
};

let lastAddress = 0;
const freshAddress = () => `10.1.${Math.floor(++lastAddress / 250)}.${(lastAddress % 250) + 1}`;

beforeEach(() => after(0));

const search = async (
  numbers: { franchiseId: number; workOrderNumber: number; zipCode: string },
  from: string,
) => {
  const { franchiseId, workOrderNumber, zipCode } = numbers;
  return call(portal, 'POST', '/user/invoice/search', {
    body: { franchiseId, workOrderNumber, zipCode },
    headers: { 'x-forwarded-for': from },
  });
};

const miss = (workOrderNumber: number) => ({ franchiseId: 999, workOrderNumber, zipCode: '10001' });

describe('guessing at invoices', () => {
  test('is stopped after ten misses a minute from one address, and then refuses hits too', async () => {
    const made = await makeInvoice(portal.deps.db.query);
    const from = freshAddress();
    for (let misses = 1; misses <= 10; misses++) {
      expect((await search(miss(misses), from)).statusCode).toBe(404);
    }
    const refused = await search(made, from);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.json()).toMatchObject({ status: 429, errors: [{ code: 'TooManyAttempts' }] });

    expect((await search(made, freshAddress())).statusCode).toBe(200);
    after(60);
    expect((await search(made, from)).statusCode).toBe(200);
  });

  test('is stopped after five misses at one work order, for that address only', async () => {
    const made = await makeInvoice(portal.deps.db.query);
    const from = freshAddress();
    for (let misses = 0; misses < 5; misses++) {
      expect((await search({ ...made, zipCode: `1000${misses}` }, from)).statusCode).toBe(404);
    }
    expect((await search(made, from)).headers['retry-after']).toBe('900');
    expect((await search(made, freshAddress())).statusCode).toBe(200);
    expect((await search(await makeInvoice(portal.deps.db.query), from)).statusCode).toBe(200);
  });

  test('is stopped after sixty misses a day', async () => {
    const from = freshAddress();
    let misses = 0;
    for (let minute = 0; minute < 8; minute++) {
      after(minute * 60);
      for (let tries = 0; tries < 10; tries++) {
        if ((await search(miss(misses + 1), from)).statusCode === 404) misses++;
      }
    }
    expect(misses).toBe(60);
  });

  test('gets no further by concurrent attempts', async () => {
    const from = freshAddress();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => search(miss(at + 1), from)));
    expect(answers.filter((answer) => answer.statusCode === 404).length).toBeLessThanOrEqual(13);
  });

  test('treats a whole /64 of IPv6 addresses as one guesser', async () => {
    for (let misses = 1; misses <= 10; misses++) await search(miss(misses), `2001:db8:5:6::${misses}`);
    expect((await search(miss(11), '2001:db8:5:6:ffff::1')).statusCode).toBe(429);
    expect((await search(miss(11), '2001:db8:5:7::1')).statusCode).toBe(404);
  });

  test('lets an honest household with two typos look up forty invoices', async () => {
    const from = freshAddress();
    const first = await makeInvoice(portal.deps.db.query);
    await search({ ...first, zipCode: '62705' }, from);
    await search({ ...first, workOrderNumber: first.workOrderNumber + 500_000 }, from);
    for (let invoices = 0; invoices < 40; invoices++) {
      const made = await makeInvoice(portal.deps.db.query);
      expect((await search(made, from)).statusCode).toBe(200);
    }
  });
});
