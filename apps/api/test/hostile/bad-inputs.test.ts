import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBooksBalanced } from '../books/compare-ledgers.ts';
import { guestSale, payAsGuest } from '../factories/payments/payments.ts';
import { ADDRESS_ROWS, PAYMENT_HEADER_ROWS } from './address-rows.ts';
import { BODY_ROWS } from './body-rows.ts';
import { type DescribedApi, readApi } from './described-api.ts';
import { useHostilePortal } from './hostile-portal.ts';
import { judgeRefusal } from './judge-answer.ts';
import { NUMBER_ROWS } from './number-rows.ts';
import { SECRET_ROWS } from './secret-rows.ts';
import type { BadInput } from './spoil.ts';
import { TEXT_ROWS } from './text-rows.ts';
import type { Victim } from './victim.ts';

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
  // The key stayed valid, since none of the payments above used it.
  const paid = await payAsGuest(
    portal,
    await guestSale(portal.emulator, victim, { paymentKey: victim.paymentKey }),
  );
  expect(paid.statusCode, paid.body).toBe(200);
});

/** What has changed about the victim's things. */
async function takenAway(): Promise<unknown[]> {
  const { rows } = await portal.deps.db.pool.query(
    `SELECT 1 FROM app_user u JOIN user_location l ON l.user_id = u.id JOIN payment_method m ON m.user_id = u.id
      WHERE u.id = $1 AND u.active AND u.first_name = 'Robin' AND l.location_id = $2`,
    [victim.userId, victim.locationId],
  );
  return rows.length === 1 ? [] : ['something of the victim’s is gone'];
}

const CALLS_TRIED = [...new Set(ROWS.map(([, name]) => name))];

// One test per call instead of per row: a test costs more than a request.
test.each(CALLS_TRIED)('%s refuses what is wrong with it', async (call) => {
  const faults: string[] = [];
  for (const [what, name, spoil, status] of ROWS) {
    if (name !== call) continue;
    const request = spoil(portal.goodRequest(name, victim));
    await portal.forgetFailures();
    const answer = await portal.send(request);
    const own = [...judgeRefusal(answer, status), ...api.judge(request, answer)];
    faults.push(...own.map((fault) => `${what}: ${fault}`));
  }
  expect(faults).toEqual([]);
});

test('nothing of all that reached the card provider', async () => {
  expect(await portal.emulator.ledger()).toEqual(ledgerBefore);
});

test('the table is as long as docs/security.md says', () => {
  const [, said = ''] =
    /\[more than ([\d,]+) bad requests\]/.exec(
      readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8'),
    ) ?? [];
  expect(ROWS.length).toBeGreaterThan(Number(said.replace(',', '')) || Number.POSITIVE_INFINITY);
});

test('every call that has a caller to check is in the table', async () => {
  const tried = new Set<string>(
    ROWS.map(([, name]) => {
      const { method, url } = portal.goodRequest(name, victim);
      return api.nameOf({ method, url }) ?? name;
    }),
  );
  // The office's calls are tried in office-inputs.test.ts.
  const isOffices = (name: string) => name.includes(' /office/');
  expect(api.guardedCalls().filter((name) => !tried.has(name) && !isOffices(name))).toEqual([]);
});
