import type { Queryable } from '../src/db/client.ts';
import type { Deps } from '../src/deps.ts';
import { expectBooksBalanced } from './books/compare-ledgers.ts';
import { sweepUntilDone } from './books/sweep.ts';
import type { TestApp } from './build-test-app.ts';
import { type TestEmulator, useEmulator } from './emulator.ts';
import { guestSale, payAsGuest, usePaymentsApp } from './factories/payments/payments.ts';

type Invoice = Parameters<typeof guestSale>[1];
type Fields = Parameters<typeof guestSale>[2];

/** What every payment test needs: a portal, the emulator and a guest who pays. */
export type Payments = {
  emulator: TestEmulator;
  portal: TestApp;
  db: () => Queryable;
  /** One press of Pay; a test names only what it is about. */
  guestPays(
    invoice: Invoice,
    given?: Fields & { headers?: Record<string, string> },
  ): ReturnType<typeof payAsGuest>;
  /** Runs the background work past every wait, until nothing is left to do. */
  sweepAll(): Promise<void>;
  /** Fails if our books break one of their rules or differ from the provider's. */
  expectBalanced(): Promise<void>;
};

export function usePayments(
  settings: () => Record<string, string> = () => ({}),
  given: Partial<Deps> = {},
): Payments {
  const emulator = useEmulator();
  const portal = usePaymentsApp(emulator, settings, given);
  return {
    emulator,
    portal,
    db: () => portal.deps.db.query,
    guestPays: async (invoice, { headers = {}, ...fields } = {}) =>
      payAsGuest(portal, await guestSale(emulator, invoice, fields), headers),
    sweepAll: () => sweepUntilDone(portal.deps),
    expectBalanced: () => expectBooksBalanced(portal.deps, emulator),
  };
}
