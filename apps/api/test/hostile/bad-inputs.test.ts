import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBooksBalanced } from '../books.ts';
import { guestSale, payAsGuest } from '../factories/payments.ts';
import { ADDRESS_ROWS, PAYMENT_HEADER_ROWS } from './address-rows.ts';
import { BODY_ROWS } from './body-rows.ts';
import { CALLS } from './calls.ts';
import { type DescribedApi, readApi } from './described-api.ts';
import { useHostilePortal, type Victim } from './hostile-portal.ts';
import { judgeRefusal } from './judge-answer.ts';
import { NUMBER_ROWS } from './number-rows.ts';
import { SECRET_ROWS } from './secret-rows.ts';
import type { BadInput } from './spoil.ts';
import { TEXT_ROWS } from './text-rows.ts';

const ROWS: readonly BadInput[] = [
  ...BODY_ROWS,
  ...TEXT_ROWS,
  ...NUMBER_ROWS,
  ...SECRET_ROWS,
  ...ADDRESS_ROWS,
  ...PAYMENT_HEADER_ROWS,
];

const portal = useHostilePortal();
let victim: Victim;
let api: DescribedApi;
let ledgerBefore: unknown;

beforeAll(async () => {
  victim = await portal.makeVictim();
  api = await readApi(portal);
  ledgerBefore = await portal.emulator.ledger();
});

afterAll(async () => {
  expect(await takenAway()).toEqual([]);
  await expectBooksBalanced(portal.deps, portal.emulator, { swept: false });
  // The key was good all along, and none of the payments above has used it.
  const paid = await payAsGuest(
    portal,
    await guestSale(portal.emulator, victim, { paymentKey: victim.paymentKey }),
  );
  expect(paid.statusCode, paid.body).toBe(200);
});

/** What of the victim's things is not as it was. */
async function takenAway(): Promise<unknown[]> {
  const { rows } = await portal.deps.db.pool.query(
    `SELECT 1 FROM app_user u JOIN user_location l ON l.user_id = u.id JOIN payment_method m ON m.user_id = u.id
      WHERE u.id = $1 AND u.active AND u.first_name = 'Robin' AND l.location_id = $2`,
    [victim.userId, victim.locationId],
  );
  return rows.length === 1 ? [] : ['something of the victim’s is gone'];
}

test.each(ROWS.map(([what, name, ...rest]) => [name, what, ...rest] as const))(
  '%s refuses %s',
  async (name, _what, spoil, status) => {
    const request = spoil(portal.goodRequest(name, victim));
    const answer = await portal.send(request);
    expect([...judgeRefusal(answer, status), ...api.judge(request, answer)]).toEqual([]);
  },
);

test('nothing of all that reached the card provider', async () => {
  expect(await portal.emulator.ledger()).toEqual(ledgerBefore);
});

test('every call that takes a body is in the table', () => {
  const tried = new Set(ROWS.map(([, name]) => name));
  expect(Object.keys(CALLS).filter((name) => !tried.has(name as keyof typeof CALLS))).toEqual([]);
});
