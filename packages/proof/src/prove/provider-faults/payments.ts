import { randomUUID } from 'node:crypto';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { guestSale } from '../../../../../apps/api/test/factories/payments/payments.ts';
import {
  makeUnpaidInvoices,
  portalSale,
  type UnpaidInvoice,
} from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import { type Heard, hear } from '../../simulation/people/pay.ts';
import type { Customer, FaultRig } from './rig.ts';

/** A guest's invoice, a customer's on one merchant account, a customer's on three. */
export const KINDS = ['guest', 'portal', 'three'] as const;
export type Kind = (typeof KINDS)[number];

/** What somebody wants to pay. */
export type Payment = {
  kind: Kind;
  invoices: UnpaidInvoice[];
  customer: Customer;
  /** Whether it must be paid once everything is swept. */
  mustBePaid: boolean;
};

/** What somebody who pressed Pay was told. */
export type Press = {
  key: string;
  status: number;
  body: Record<string, unknown>;
  codes: string[];
  replayed: boolean;
  heard: Heard;
};

export async function newPayment(
  rig: FaultRig,
  kind: Kind,
  customer: Customer = rig.customer,
): Promise<Payment> {
  const { franchises, portal } = rig;
  const used = kind === 'three' ? franchises : franchises.slice(0, 1);
  const invoices = await makeUnpaidInvoices(portal, {
    user: customer,
    franchises: used,
    invoices: used.length,
  });
  const payment = { kind, invoices, customer, mustBePaid: false };
  rig.run.payments.push(payment);
  return payment;
}

type Pressed = {
  key?: string;
  /** Sent instead of what the payer would send. */
  given?: Record<string, unknown>;
  headers?: Record<string, string>;
  customer?: Customer;
  signal?: AbortSignal;
};

/** Presses Pay and records the answer; uses a fresh key unless one is given. */
export async function press(
  rig: FaultRig,
  payment: Payment,
  { key = randomUUID(), given = {}, headers = {}, customer = payment.customer, signal }: Pressed = {},
): Promise<Press> {
  const [invoice] = payment.invoices;
  if (!invoice) throw new Error('nothing to pay');
  const isGuest = payment.kind === 'guest';
  const { paymentMethodId, token, userId } = customer;
  const body = isGuest
    ? await guestSale(rig.emulator, invoice, given)
    : portalSale(payment.invoices, { paymentMethodId, ...given });
  const scope = isGuest ? `guest:${invoice.franchiseId}:${invoice.workOrderNumber}` : userId;
  const answer = await post(rig, isGuest ? '/usaepay/guestsale' : '/usaepay/customerportalsale', {
    body,
    headers: { 'idempotency-key': key, ...(!isGuest && { authorization: `Bearer ${token}` }), ...headers },
    ...(signal && { signal }),
  });
  rig.run.told.push({ key, scope, heard: answer.heard });
  return { key, ...answer };
}

/** Makes a call and reads the answer as its caller would. */
export async function post(
  { url }: FaultRig,
  path: string,
  { body, headers, signal }: { body: unknown; headers: Record<string, string>; signal?: AbortSignal },
): Promise<Omit<Press, 'key'>> {
  try {
    const response = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-apisecret': TEST_SECRETS.apiSecret, ...headers },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    const replayed = response.headers.get('idempotency-replayed') === 'true';
    const read = (await response.json()) as Record<string, unknown>;
    const { status } = response;
    return {
      status,
      body: read,
      codes: codesOf(read),
      replayed,
      heard: hear({ status, body: read, replayed } as never),
    };
  } catch {
    return { status: 0, body: {}, codes: [], replayed: false, heard: 'nothing certain' };
  }
}

function codesOf({ errors }: Record<string, unknown>): string[] {
  return Array.isArray(errors) ? errors.map((error: { code: string }) => error.code) : [];
}

/** Fails the run unless the condition holds. */
export function must(holds: boolean, words: string): void {
  if (!holds) throw new Error(words);
}

export function mustHear(press: Press, ...expected: Heard[]): void {
  const { heard, status, codes } = press;
  must(expected.includes(heard), `heard "${heard}" (${status} ${codes}), not "${expected.join('" or "')}"`);
}

/** Pays in a new attempt, as a payer may at once who was told "not charged". */
export async function payAgain(rig: FaultRig, payment: Payment): Promise<Press> {
  const again = await press(rig, payment);
  mustHear(again, 'paid');
  payment.mustBePaid = true;
  return again;
}
