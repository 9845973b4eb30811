import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoInvoices } from '../../../demo/demo-invoices.ts';
import { loadDemo } from '../../../demo/load-demo.ts';
import { call, TEST_SECRETS, useTestApp } from './build-test-app.ts';

const portal = useTestApp();
const TODAY = '2031-02-28';
const KEYS = { apiKey: 'demo-key', pin: 'demo-pin', publicKey: '_demo' };

const load = async () =>
  loadDemo({
    portalUrl: `http://127.0.0.1:${(portal.app.server.address() as AddressInfo).port}`,
    officeApiKey: TEST_SECRETS.officeApiKey,
    today: TODAY,
    franchiseKeys: KEYS,
  });

beforeAll(async () => {
  await portal.app.listen({ port: 0, host: '127.0.0.1' });
  await load();
});

/** How many of the demo's invoices meet a condition on `TODAY`. */
async function count(condition: string): Promise<number> {
  const { rows } = await portal.deps.db.query.execute<{ count: number }>(sql`
    SELECT count(*)::integer AS count FROM invoice i JOIN location l ON l.id = i.location_id
      JOIN customer c ON c.id = l.customer_id WHERE ${sql.raw(condition)}`);
  return rows[0]?.count ?? 0;
}

describe('the demo tells of', () => {
  const OWED = 'balance_cents > 0';
  test.each([
    ['invoices', 'true', 20],
    ['what is due', `${OWED} AND due_date > '${TODAY}'`, 5],
    ['what is overdue', `${OWED} AND due_date < '${TODAY}'`, 3],
    ['what is pending', `${OWED} AND due_date IS NULL`, 3],
    ['what is upcoming', `${OWED} AND completed_date IS NULL`, 3],
    ['what is partly paid', `${OWED} AND paid_elsewhere_cents > 0`, 2],
    ['what is paid', 'balance_cents = 0', 2],
    ['zero tax', 'tax_rate_ppm = 0 AND tax_cents = 0', 2],
    ['8.875 %', 'tax_rate_ppm = 88750', 2],
    ['tips that are off', 'NOT tips_enabled', 2],
    ['accents', "c.name ~ '[éëúñ]'", 2],
    ['apostrophes', "position('''' in c.name) > 0", 2],
    ['a zip with a leading zero', "l.zip_code LIKE '0%'", 1],
  ])('%s', async (_what, condition, atLeast) => {
    expect(await count(condition)).toBeGreaterThanOrEqual(atLeast);
  });

  test('work that is done by today, and nothing that falls due on the very day', async () => {
    expect(await count(`completed_date >= '${TODAY}'`)).toBe(0);
    expect(await count(`due_date = '${TODAY}'`)).toBe(0);
  });

  test('tax that is its rate of the rest', async () => {
    expect(
      await count('tax_cents <> round((amount_cents - tax_cents)::numeric * tax_rate_ppm / 1000000)'),
    ).toBe(0);
  });

  test('three franchises in three time zones, one of them with keys of its own', async () => {
    const { rows } = await portal.deps.db.query.execute(sql`
      SELECT count(DISTINCT time_zone)::integer AS zones, count(phone)::integer AS phones FROM franchise`);
    expect(rows).toEqual([{ zones: 3, phones: 3 }]);
    const publicKeyOf = async (franchiseId: number, workOrderNumber: number, zipCode: string) =>
      (
        await call(portal, 'POST', '/user/invoice/search', {
          body: { franchiseId, workOrderNumber, zipCode },
        })
      ).json().publicKey;
    expect(await publicKeyOf(12, 2001, '90291')).toBe(KEYS.publicKey);
    expect(await publicKeyOf(11, 1001, '60302')).not.toBe(KEYS.publicKey);
  });
});

test('loading the demo again changes nothing', async () => {
  const before = await portal.deps.db.query.execute(sql`SELECT * FROM invoice ORDER BY id`);
  await load();
  expect((await portal.deps.db.query.execute(sql`SELECT * FROM invoice ORDER BY id`)).rows).toEqual(
    before.rows,
  );
});

test('moves the file by whole days, and refuses an invalid day', async () => {
  const [next, same] = await Promise.all(
    ['2026-06-16', '2026-06-15'].map(async (today) => (await demoInvoices({ today })).split('\n')[1]),
  );
  expect(same).toContain(',2026-06-03,2026-07-03,');
  expect(next).toContain(',2026-06-04,2026-07-04,');
  await expect(demoInvoices({ today: 'today' })).rejects.toThrow('not a day: today');
});
