import { randomUUID } from 'node:crypto';
import type { RefundPage, RefundRequestAnswer } from '@brightpane/contract/office/refunds';
import { sql } from 'drizzle-orm';
import { beforeEach, expect } from 'vitest';
import { advanceEngineClock } from '../books/engine-clock.ts';
import { sweep } from '../books/sweep.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { makeRefundable, type Refundable } from '../factories/requested-refunds.ts';
import { type Payments, usePayments } from '../use-payments.ts';
import {
  callConsole,
  makeStaff,
  OFFICE_SETTINGS,
  signInStaff,
  stepUpFor,
  type TestPerson,
} from './office-people.ts';

type Sale = Refundable & { franchiseId: number; workOrderNumber: number };
export type Signed = { cookie: string; person: TestPerson };
type Role = NonNullable<NonNullable<Parameters<typeof makeStaff>[1]>['role']>;
export type Line = { amount?: unknown; services?: unknown; tip?: unknown; effect?: string };
type Asked = { who?: Signed; key?: string; confirmed?: boolean; rest?: object };

/** A fresh office for each test: a collected payment of 108.25 with a tip of 5.00, and two people. */
type Office = { sale: Sale; clerk: Signed; owner: Signed };

/** What refund tests do at an office: request, look, let time pass, and act at the provider by hand. */
export function useRefundDesk() {
  const payments = usePayments(() => OFFICE_SETTINGS);
  const { emulator, portal, db } = payments;
  const desk = {} as Office;

  beforeEach(async () => {
    Object.assign(desk, await openDesk(payments));
  });

  const sign = (role: Role, franchiseIds = [desk.sale.franchiseId]) =>
    signStaff(payments, { role, franchiseIds });

  /** Makes a person's call, with a second factor if it needs one. */
  async function call(
    who: Signed,
    method: 'GET' | 'POST',
    path: string,
    given: { body?: unknown; key?: string; confirmed?: boolean; version?: number | undefined } = {},
  ) {
    const { body, key, confirmed = false, version } = given;
    const factor = confirmed ? await stepUpFor(portal, who, { method, path, body }) : {};
    const headers = {
      ...factor,
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    };
    return callConsole(portal, method, path, { cookie: who.cookie, headers, body });
  }

  const bodyOf = (line: Line, rest: object = {}) => ({
    reason: 'complaint',
    lines: [{ franchiseId: desk.sale.franchiseId, workOrderNumber: desk.sale.workOrderNumber, ...line }],
    ...rest,
  });

  const request = (line: Line, given: Asked = {}) => {
    const { who = desk.clerk, key = randomUUID(), confirmed = false, rest } = given;
    const path = `/payments/${desk.sale.paymentId}/refunds`;
    return call(who, 'POST', path, { body: bodyOf(line, rest), key, confirmed });
  };

  async function requested(line: Line, given: Asked = {}): Promise<RefundRequestAnswer> {
    const answer = await request(line, given);
    expect(answer.statusCode, answer.body).toBe(202);
    return answer.json();
  }

  const read = async (refundId: string, who = desk.clerk) =>
    (await call(who, 'GET', `/refunds/${refundId}`)).json<RefundPage>();

  /** Decides about a held refund, having read its page now or, with its version, before. */
  async function decide(
    who: Signed,
    refundId: string,
    { body, version, confirmed = true }: { body: object; version?: number | undefined; confirmed?: boolean },
  ) {
    const seen = version ?? (await read(refundId, who)).version;
    const path = `/refunds/${refundId}/decide`;
    return call(who, 'POST', path, { body: { note: 'Looked.', ...body }, version: seen, confirmed });
  }

  async function sweepAt(seconds: number): Promise<void> {
    await advanceEngineClock(portal.deps, seconds);
    await emulator.advanceClock(seconds);
    await sweep(portal.deps);
  }
  const closeBatch = () => emulator.callAs('portal', 'POST', '/batches/current/close');
  const byHand = async (command: string, amount?: string) => {
    const row = (await emulator.ledger()).find((each) => each.orderid === desk.sale.orderId);
    return emulator.callAs('portal', 'POST', '/transactions', {
      command,
      trankey: row?.key,
      ...(amount && { amount }),
    });
  };
  const setLimits = (limit: number, day: number) =>
    db().execute(sql`
      UPDATE franchise SET refund_limit_cents = ${limit}, refund_day_limit_cents = ${day}
       WHERE id = ${desk.sale.franchiseId}`);

  const acts = {
    sign,
    call,
    bodyOf,
    request,
    requested,
    read,
    decide,
    sweepAt,
    closeBatch,
    byHand,
    setLimits,
  };
  return { ...payments, desk, ...acts };
}

async function openDesk(payments: Payments): Promise<Office> {
  const { emulator, db, guestPays, sweepAll } = payments;
  await emulator.clearFaults();
  const invoice = await makeInvoice(db());
  const { franchiseId, workOrderNumber } = invoice;
  await guestPays(invoice, { email: 'payer@example.com', tipAmount: 5 });
  await sweepAll();
  const franchiseIds = [franchiseId];
  return {
    sale: { ...(await makeRefundable(db(), invoice)), franchiseId, workOrderNumber },
    clerk: await signStaff(payments, { role: 'clerk', franchiseIds }),
    owner: await signStaff(payments, { role: 'owner', franchiseIds }),
  };
}

async function signStaff(
  { portal }: Payments,
  { role, franchiseIds }: { role: Role; franchiseIds: number[] },
): Promise<Signed> {
  const isHq = role === 'admin' || role === 'finance' || role === 'support';
  const person = await makeStaff(portal, { role, franchiseIds: isHq ? [] : franchiseIds });
  return { person, cookie: await signInStaff(portal, person) };
}

export const refundOf = ({ refunds }: RefundRequestAnswer) => {
  const [refund] = refunds;
  if (!refund) throw new Error('no refund');
  return refund;
};

type Answer = { json: <T>() => T };

export const codeOf = (answer: Answer) =>
  answer.json<{ errors?: { code: string; field?: string }[]; detail?: string }>().errors?.[0]?.code;
export const detailOf = (answer: Answer) => answer.json<{ detail: string }>().detail;
