import type { PortalSaleBody } from '@brightpane/contract/invoices/payments';
import { replaceMerchantAccount } from '../../src/modules/merchant-accounts/replace-merchant-account.ts';
import { call, type TestApp } from '../build-test-app.ts';
import type { TestEmulator } from '../emulator.ts';
import { makeInvoice, nextNumber } from './invoices.ts';
import { linkLocation, type SignedInUser } from './users.ts';

/** Saves a card as the browser does; returns its payment method's id. */
export async function addCard(
  portal: TestApp,
  emulator: TestEmulator,
  { token, card }: { token: string; card?: string },
): Promise<string> {
  const paymentKey = await emulator.mintPaymentKey(card === undefined ? {} : { card });
  const body = { paymentKey, maskedCard: '4000xxxxxxxx2224', street: 'Maple Street 12', postalCode: '62704' };
  const known = await cardIds(portal, token);
  const answer = await call(portal, 'POST', '/usaepay/portal/paymentmethods', { token, body });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  const id = (await cardIds(portal, token)).find((each) => !known.includes(each));
  if (!id) throw new Error('no card was added');
  return id;
}

async function cardIds(portal: TestApp, token: string): Promise<string[]> {
  const answer = await call(portal, 'GET', '/usaepay/portal/paymentmethods', { token });
  return answer.json<{ id: string }[]>().map((each) => each.id);
}

export type UnpaidInvoice = Awaited<ReturnType<typeof makeInvoice>> & { account: string };

/** The emulator's merchants, in the order in which a payment charges their accounts. */
const MERCHANTS = ['portal', 'north', 'east', 'south', 'west'] as const;

/** Franchises, each on its own merchant account; the first uses the portal's. A payment charges them in this order. */
export async function makeFranchises(
  portal: TestApp,
  emulator: TestEmulator,
  { accounts }: { accounts: number },
): Promise<{ franchiseId: number; merchant: string }[]> {
  const made = [];
  for (const name of MERCHANTS.slice(0, accounts)) {
    const { franchiseId } = await makeInvoice(portal.deps.db.query);
    const keys = await emulator.merchant(name);
    if (name !== 'portal') {
      await portal.deps.db.transaction((tx) =>
        replaceMerchantAccount(portal.deps, { tx, franchiseId, keys }),
      );
    }
    made.push({ franchiseId, merchant: name });
  }
  return made;
}

/** That many unpaid invoices of a user, spread over the franchises. All amounts differ. */
export async function makeUnpaidInvoices(
  portal: TestApp,
  {
    user,
    franchises,
    invoices,
  }: { user: SignedInUser; franchises: { franchiseId: number; merchant: string }[]; invoices: number },
): Promise<UnpaidInvoice[]> {
  const locations = new Map<number, { customerId: number; locationId: number }>();
  const made: UnpaidInvoice[] = [];
  for (let index = 0; index < invoices; index++) {
    const { franchiseId, merchant } = franchises[index % franchises.length] ?? fail();
    const invoice = await makeInvoice(portal.deps.db.query, {
      franchiseId,
      ...locations.get(franchiseId),
      amountCents: 108_25 + (nextNumber() % 2000) * 7,
      taxCents: 8_25,
    });
    if (!locations.has(franchiseId)) await linkLocation(portal, { ...user, ...invoice });
    locations.set(franchiseId, { customerId: invoice.customerId, locationId: invoice.locationId });
    made.push({ ...invoice, account: merchant });
  }
  return made;
}

function fail(): never {
  throw new Error('invoices need a franchise');
}

type Line = PortalSaleBody['workOrders'][number];

/** The body of a portal payment; `added` goes into each work order. */
export function portalSale(
  invoices: readonly Pick<UnpaidInvoice, 'franchiseId' | 'workOrderNumber'>[],
  given: Partial<PortalSaleBody> & { paymentMethodId: string },
  added: Partial<Line> = {},
): PortalSaleBody {
  return {
    sendReceipt: true,
    legalAccepted: true,
    workOrders: invoices.map(({ franchiseId, workOrderNumber }) => ({
      franchiseId,
      workOrderNumber,
      ...added,
    })),
    ...given,
  };
}

export function payAsCustomer(
  portal: TestApp,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  return call(portal, 'POST', '/usaepay/customerportalsale', { token, body, headers });
}
