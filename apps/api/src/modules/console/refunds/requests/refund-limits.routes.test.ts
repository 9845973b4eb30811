import { randomUUID } from 'node:crypto';
import type { RefundRequestAnswer } from '@brightpane/contract/office/refunds';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { advanceEngineClock, setEngineClock } from '../../../../../test/books/engine-clock.ts';
import { makeInvoice } from '../../../../../test/factories/invoices.ts';
import { makePayment } from '../../../../../test/factories/payments/decided-payments.ts';
import { signInStaff } from '../../../../../test/office/office-people.ts';
import { codeOf, type Signed, useRefundDesk } from '../../../../../test/office/refund-desk.ts';
import type { OfficeCaller } from '../../../../http/office-caller.ts';
import { type PlacedLine, placeRequest } from './place-request.ts';

const { call, db, desk, portal, setLimits, sign } = useRefundDesk();

const HOUR_SECONDS = 3_600;
const WITHIN = 'goes straight to waiting';
const ABOVE = 'StepUpRequired';

// Nothing is sent here, and what waits for more than a day would need somebody.
afterEach(() =>
  db().execute(sql`UPDATE refund SET state = 'withdrawn', next_try_at = NULL WHERE state = 'waiting'`),
);

type Paid = {
  paymentId: string;
  chargeId: string;
  invoiceId: number;
  franchiseId: number;
  workOrderNumber: number;
};

/** A collected payment of 108.25 of the desk's office, or of another one. */
async function paid(given: { franchiseId?: number } = { franchiseId: desk.sale.franchiseId }): Promise<Paid> {
  const invoice = await makeInvoice(db(), given);
  return { ...invoice, ...(await makePayment(portal.deps, { invoices: [invoice] })) };
}

/** What becomes of a request by somebody who confirms nothing. */
async function outcomeOf(
  { paymentId, franchiseId, workOrderNumber }: Paid,
  amount: number,
  who = desk.clerk,
): Promise<string | undefined> {
  const lines = [{ franchiseId, workOrderNumber, amount, effect: 'due-again' }];
  const answer = await call(who, 'POST', `/payments/${paymentId}/refunds`, {
    body: { reason: 'complaint', lines },
    key: randomUUID(),
  });
  if (answer.statusCode !== 202) return codeOf(answer);
  return answer.json<RefundRequestAnswer>().needsApproval ? 'needs an approval' : WITHIN;
}

/** Asks again where a lock was waited for too long, as on a busy machine. */
async function askUntilAnswered(...asked: Parameters<typeof outcomeOf>): Promise<string | undefined> {
  const outcome = await outcomeOf(...asked);
  return outcome === 'Busy' ? askUntilAnswered(...asked) : outcome;
}

async function countWaiting(): Promise<number> {
  const { rows } = await db().execute(sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows.length;
}

/** The same person, once a session would have ended. */
const signedInAgain = async ({ person }: Signed): Promise<Signed> => ({
  person,
  cookie: await signInStaff(portal, person),
});

describe('the limit of a day', () => {
  test('counts all payments of an office, for each person alone', async () => {
    await setLimits(1000_00, 20_00);
    const other = await sign('clerk');
    expect(await outcomeOf(desk.sale, 15)).toBe(WITHIN);
    const second = await paid();
    expect(await outcomeOf(second, 6)).toBe(ABOVE);
    expect(await outcomeOf(second, 6, other)).toBe(WITHIN);
    expect(await outcomeOf(second, 5)).toBe(WITHIN);
  });

  test('counts each office alone', async () => {
    await setLimits(1000_00, 20_00);
    const elsewhere = await paid({});
    await db().execute(sql`
      UPDATE franchise SET refund_limit_cents = 100000, refund_day_limit_cents = 2000
       WHERE id = ${elsewhere.franchiseId}`);
    const both = await sign('clerk', [desk.sale.franchiseId, elsewhere.franchiseId]);
    expect(await outcomeOf(elsewhere, 15, both)).toBe(WITHIN);
    expect(await outcomeOf(desk.sale, 15, both)).toBe(WITHIN);
    expect(await outcomeOf(elsewhere, 6, both)).toBe(ABOVE);
  });

  test('ends at midnight of the office, and not before', async () => {
    await setLimits(1000_00, 20_00);
    const payments = [await paid(), await paid(), await paid()] as const;
    // A midnight that is at least a day ahead; in Chicago it comes hours after that of UTC.
    const { rows } = await db().execute<{ midnight: string }>(sql`
      SELECT to_json((date_trunc('day', engine_now() AT TIME ZONE time_zone) + interval '2 days')
                     AT TIME ZONE time_zone) #>> '{}' AS midnight
        FROM franchise WHERE id = ${desk.sale.franchiseId} AND time_zone = 'America/Chicago'`);
    const midnight = Date.parse(rows[0]?.midnight ?? '');
    await setEngineClock(portal.deps, new Date(midnight - 12 * HOUR_SECONDS * 1000));
    const before = await signedInAgain(desk.clerk);
    expect(await outcomeOf(payments[0], 15, before)).toBe(WITHIN);
    await setEngineClock(portal.deps, new Date(midnight - 60_000));
    const late = await signedInAgain(desk.clerk);
    expect(await outcomeOf(payments[1], 6, late)).toBe(ABOVE);
    await setEngineClock(portal.deps, new Date(midnight + 60_000));
    expect(await outcomeOf(payments[1], 6, late)).toBe(WITHIN);
    expect(await outcomeOf(payments[2], 15, late)).toBe(ABOVE);
  });

  test('holds for payments asked for at once, as from two tabs', async () => {
    await setLimits(1000_00, 20_00);
    const payments = [await paid(), await paid()];
    // Both have read what was asked before, or wait to, when the first is written.
    const asked = await portal.deps.db.transaction(async (tx) => {
      await tx.execute(sql`LOCK TABLE refund_request IN SHARE MODE`);
      const both = payments.map((payment) => askUntilAnswered(payment, 15));
      await vi.waitUntil(async () => (await countWaiting()) === both.length, { timeout: 60_000 });
      return { both };
    });
    expect((await Promise.all(asked.both)).toSorted()).toEqual([ABOVE, WITHIN]);
  });
});

describe('the limit of a payment', () => {
  test('counts a person’s requests for 24 hours', async () => {
    await setLimits(20_00, 1000_00);
    const payment = await paid();
    expect(await outcomeOf(payment, 15)).toBe(WITHIN);
    await advanceEngineClock(portal.deps, 23 * HOUR_SECONDS);
    const next = await signedInAgain(desk.clerk);
    expect(await outcomeOf(payment, 6, next)).toBe(ABOVE);
    await advanceEngineClock(portal.deps, 2 * HOUR_SECONDS);
    expect(await outcomeOf(payment, 6, await signedInAgain(desk.clerk))).toBe(WITHIN);
  });

  test('counts each payment and each person alone', async () => {
    await setLimits(20_00, 1000_00);
    const other = await sign('clerk');
    expect(await outcomeOf(desk.sale, 15)).toBe(WITHIN);
    expect(await outcomeOf(await paid(), 15)).toBe(WITHIN);
    expect(await outcomeOf(desk.sale, 6)).toBe(ABOVE);
    expect(await outcomeOf(desk.sale, 6, other)).toBe(WITHIN);
  });
});

test('nothing is placed for a caller who lost the office after the lines were read', async () => {
  const { franchiseId, paymentId, chargeId, invoiceId } = await paid({});
  const placed = await portal.deps.db.transaction((tx) =>
    placeRequest(portal.deps, tx, {
      caller: { id: desk.clerk.person.staffId, name: desk.clerk.person.email } as OfficeCaller,
      paymentId,
      idemKey: randomUUID(),
      requestHash: '',
      reason: 'complaint',
      note: null,
      lines: [{ franchiseId, chargeId, invoiceId } as PlacedLine],
      confirm: async () => {},
    }),
  );
  expect(placed).toEqual({ ok: false, code: 'not-seen' });
});
