import { afterEach, describe, expect, test } from 'vitest';
import { call, useTestApp } from '../../test/build-test-app.ts';
import { useEmulator } from '../../test/emulator.ts';
import { makeInvoice } from '../../test/factories/invoices.ts';
import { gatewaySettings, guestSale, payAsGuest } from '../../test/factories/payments.ts';

const emulator = useEmulator();
const portal = useTestApp(async () => ({
  DATABASE_POOL_SIZE: '2',
  MAX_LAG_MILLISECONDS: '400',
  ...gatewaySettings(emulator, await emulator.merchant('portal')),
}));

const search = () =>
  call(portal, 'POST', '/user/invoice/search', {
    body: { franchiseId: 1, workOrderNumber: 2, zipCode: '62704' },
  });

/** Keeps every connection of the pool busy, and so many statements waiting for one. */
async function fillPool(waiting: number): Promise<() => Promise<void>> {
  const { pool } = portal.deps.db;
  const held = [await pool.connect(), await pool.connect()];
  const queued = Array.from({ length: waiting }, () => pool.query('SELECT 1'));
  return async () => {
    for (const client of held) client.release();
    await Promise.all(queued);
  };
}

let free: (() => Promise<void>) | undefined;
afterEach(async () => {
  await free?.();
  free = undefined;
});

describe('while more waits for the database than it can do soon', () => {
  test('calls are turned away at once, with the time to come back, and the word of what was charged is not given', async () => {
    const sale = await guestSale(emulator, await makeInvoice(portal.deps.db.query));
    free = await fillPool(61);
    for (const answer of [await search(), await payAsGuest(portal, sale)]) {
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toBe('2');
      expect(answer.json()).toEqual({
        title: 'Service Unavailable',
        status: 503,
        detail: 'We are busy at the moment. Please try again.',
        errors: [{ code: 'Busy', description: 'We are busy at the moment. Please try again.' }],
      });
    }
    expect(await portal.deps.metrics.registry.metrics()).toContain(
      'portal_turned_away_total{reason="pool"} 2',
    );
    await free();
    free = undefined;
    expect((await payAsGuest(portal, sale)).statusCode).toBe(200);
  });

  test('health is answered', async () => {
    free = await fillPool(61);
    expect((await portal.app.inject('/api/health/live')).statusCode).toBe(200);
  });
});

test('while the event loop is late, calls are turned away; one pause is no load', async () => {
  const tick = () => new Promise((resolve) => setTimeout(resolve, 0));
  const block = (milliseconds: number) => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
  };
  block(460);
  await tick();
  expect((await search()).statusCode).toBe(404);
  // The timer that notices runs between the two.
  for (let pause = 0; pause < 3; pause++) {
    block(460);
    await tick();
  }
  const refused = await search();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
  await expect.poll(async () => (await search()).statusCode).toBe(404);
});

test('an instance that ends says so to its proxy, answers what still comes, and keeps no connection', async () => {
  portal.deps.underWay.end();
  const ready = await portal.app.inject('/api/health/ready');
  expect([ready.statusCode, ready.json().detail]).toEqual([503, 'This instance is ending.']);
  expect((await portal.app.inject('/api/health/live')).statusCode).toBe(200);
  const answer = await search();
  expect([answer.statusCode, answer.headers.connection]).toEqual([404, 'close']);
});
