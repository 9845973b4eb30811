import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { expectBooksBalanced } from '../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../test/books/engine-clock.ts';
import { sweepUntilDone } from '../../../test/books/sweep.ts';
import { TEST_SECRETS } from '../../../test/build-test-app.ts';
import { useCrashes } from '../../../test/crashes/use-crashes.ts';
import { useEmulator } from '../../../test/emulator.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { chargeState } from '../../../test/factories/payments/charges.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../../test/factories/payments/payments.ts';
import { leaveUncaptured, leaveUnresolved } from '../../../test/factories/payments/reviewed-charges.ts';
import { callOffice, importCsv, officeRow, toCsv } from '../../../test/office/office.ts';
import { invoice } from '../../db/schema/franchises.ts';
import { auditEvent } from '../../db/schema/operations.ts';

// Each test starts its own process, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);
const { crashAt, testThatAllWereReached } = useCrashes(portal, 'office');
const db = () => portal.deps.db.query;

beforeEach(() => emulator.clearFaults());

describe('invoices are imported, and the process is killed', () => {
  test.each([
    ['33-inside-import', 0, { created: 3, updated: 0, unchanged: 0 }],
    ['33-after-import', 3, { created: 0, updated: 0, unchanged: 3 }],
  ] as const)('%s: %i of three invoices are there, and the repeat says so', async (point, count, counts) => {
    const rows = [officeRow(), officeRow(), officeRow()];
    const stored = async () => {
      const all = await db().select({ number: invoice.workOrderNumber }).from(invoice);
      return all.filter(({ number }) => rows.some((row) => Number(row.workOrderNumber) === number));
    };
    const crashing = await crashAt(point);
    const call = { token: TEST_SECRETS.officeApiKey, type: 'text/csv' };
    expect(await crashing.post('/office/import', toCsv(rows), call)).toBeNull();
    await crashing.killed();
    expect(await stored()).toHaveLength(count);
    expect((await importCsv(portal, toCsv(rows))).json()).toEqual(counts);
    expect(await stored()).toHaveLength(3);
  });
});

describe('a person decides about a charge, and the process is killed', () => {
  const pay = async () => payAsGuest(portal, await guestSale(emulator, await makeInvoice(db())));

  const audits = (chargeId: string) =>
    db()
      .select({ action: auditEvent.action })
      .from(auditEvent)
      .where(eq(auditEvent.subject, `charge ${chargeId}`));

  const WAYS = {
    release: { leave: () => leaveUnresolved(portal, { emulator, pay, isHeld: true }), end: 'released' },
    close: { leave: () => leaveUnresolved(portal, { emulator, pay, isHeld: false }), end: 'absent' },
    reverse: { leave: () => leaveUncaptured(portal, { emulator, pay }), end: 'capture_failed' },
  };

  // Each point and each decision; the proof plays every pair.
  test.each([
    ['59-review-leased', 'release', 0],
    ['60-review-planned', 'reverse', 0],
    ['61-review-decided', 'close', 1],
    ['62-after-review', 'reverse', 1],
  ] as const)(
    '%s, of "%s": decided %i times, audited as often, and nothing is captured',
    async (point, decision, decided) => {
      const { leave, end } = WAYS[decision];
      const chargeId = await leave();
      const crashing = await crashAt(point);
      const path = `/office/review/${chargeId}/${decision}`;
      expect(await crashing.post(path, undefined, { token: TEST_SECRETS.officeApiKey })).toBeNull();
      await crashing.killed();
      expect(await audits(chargeId)).toHaveLength(decided);

      await advanceEngineClock(portal.deps, 61);
      if (decided === 0) {
        const again = await callOffice(portal, 'POST', `/review/${chargeId}/${decision}`);
        expect(again.statusCode).toBe(200);
        expect(await audits(chargeId)).toEqual([{ action: `review: ${decision}` }]);
      }
      await sweepUntilDone(portal.deps);
      expect(await chargeState(portal.deps, chargeId)).toBe(end);
      await expectBooksBalanced(portal.deps, emulator);
    },
  );
});

testThatAllWereReached();
