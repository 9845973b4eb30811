import { randomUUID } from 'node:crypto';
import { type Cents, sumCents } from '@brightpane/money/cents';
import type { Queryable } from '../../../db/client.ts';
import { LONGEST_PAYMENT_SECONDS } from '../../../db/clock/ahead.queries.ts';
import { inOneTrip } from '../../../db/statements/in-one-trip.ts';
import type { Deps } from '../../../deps.ts';
import { countDown } from '../../../gateway/count-down.ts';
import type { MerchantKeys } from '../../../gateway/payment-gateway.ts';
import {
  lockInvoices,
  type PayableInvoiceRow,
  type ResolvedInvoice,
  readPayableInvoices,
  resolveInvoices,
  type WorkOrderNumbers,
} from '../../invoices/payable-invoices.queries.ts';
import { openSealedKeys } from '../../merchant-accounts/open-merchant-keys.ts';
import type { SealedAccount } from '../../merchant-accounts/sealed-keys.ts';
import { abandonExpired } from '../engine/abandon-expired.ts';
import { insertCharges } from '../engine/charges.queries.ts';
import {
  findBlockingClaims,
  type Idempotency,
  insertClaimingIntent,
  isOfClosedAccount,
  type ShownPlace,
} from '../engine/payments.queries.ts';
import type { SeenIntent } from '../epoch/books-memory.ts';
import { newOrderId } from '../epoch/order-ids.ts';
import { findBlockingFoundPayment } from '../restore/found-payments.queries.ts';
import { lookForPayer } from '../restore/look-at-accounts.ts';
import type { Refusal } from './payments.problems.ts';
import { type Additions, isTooLarge, type PricedLine, priceSeenWorkOrder } from './price-work-order.ts';

export type PaymentLine = WorkOrderNumbers &
  Additions & {
    /** The version of the invoice that the payer saw; any other version is refused. */
    version?: number | undefined;
  };

/** What a guest has proved about themselves. */
export type Admitted = {
  /** Named no matching zip code: may pay the full amount and learns nothing else about the invoice. */
  isStranger?: boolean;
  /** Named the matching zip code. */
  shown?: ShownPlace;
  /** The invoice that the guest named. */
  invoice?: ResolvedInvoice;
};

/** What somebody wants to pay. */
export type Payment = Admitted & {
  kind: 'guest' | 'portal';
  /** Limits payment to this user's invoices; a guest may pay any invoice that they can name. */
  userId: string | null;
  idempotency: Idempotency;
  lines: PaymentLine[];
  legalAccepted: boolean;
  /** The version of the terms that the payer's page showed. */
  termsVersion: string;
  /** Terms accepted for a location before this time no longer count. */
  askAgainSince: string | null;
  sendReceipt: boolean;
  payerEmail: string | null;
};

type Admission = { leave(): void };

export type ClaimedLine = { invoice: PayableInvoiceRow; priced: PricedLine };

export type ClaimedCharge = {
  chargeId: string;
  /** The merchant account and what it is charged with. */
  keys: MerchantKeys;
  orderId: string;
  amountCents: Cents;
  lines: ClaimedLine[];
};

/** A stored payment. It owns its invoices until it is decided or its deadline passes. */
export type Claimed = SeenIntent & {
  ok: true;
  millisecondsLeft: () => number;
  /** One per merchant account, in the order of the accounts. */
  charges: ClaimedCharge[];
  /** Must be called when the payment is over, however it ended. */
  leave: () => void;
};

type Refused = { ok: false; refusal: Refusal };
/** Another request began a payment under this key a moment ago. */
type KeyTaken = { ok: false; refusal: null };
const KEY_TAKEN: KeyTaken = { ok: false, refusal: null };

const FIRST_ACCOUNT_SECONDS = 25;
const FURTHER_ACCOUNT_SECONDS = 10;
const MAX_ATTEMPTS = 3;

/** Rolls the claim's transaction back: a refusal leaves nothing behind, not even the payment. */
class TakenBack extends Error {
  readonly reason: Refused | KeyTaken | { blockedBy: Blocked[] };
  constructor(reason: TakenBack['reason']) {
    super('the claim was taken back');
    this.reason = reason;
  }
}

type Blocked = WorkOrderNumbers & { intentId: string; isExpired: boolean };

/**
 * Writes the payment, its claims and its charges in one short transaction, or nothing. Reads what is priced after the
 * claims are held: a claim that had to wait for another payment would otherwise price the balance from before it.
 */
export async function claim(deps: Deps, payment: Payment): Promise<Claimed | Refused | KeyTaken> {
  let hasLooked = false;
  for (let attempt = 1; ; attempt++) {
    const admissions: Admission[] = [];
    try {
      const claimed = await deps.db.briefTransaction((tx) => claimInside(deps, tx, { payment, admissions }));
      deps.books.remember(claimed);
      return claimed;
    } catch (error) {
      leaveAll(admissions);
      if (isOfClosedAccount(error)) return { ok: false, refusal: { code: 'payer-closed' } };
      if (!(error instanceof TakenBack)) throw error;
      // In a new epoch an account is closed until its list was looked at. The payer waits for one look.
      if (isClosed(error.reason) && !hasLooked) {
        hasLooked = true;
        if (await lookForPayer(deps, franchisesOf(payment))) continue;
      }
      if (!('blockedBy' in error.reason)) return error.reason;
      // Empty if the other payment ended in the meantime: then trying again is enough.
      const { blockedBy } = error.reason;
      const unexpired = blockedBy.find((blocked) => !blocked.isExpired);
      if (unexpired || attempt === MAX_ATTEMPTS) {
        const workOrderNumber = (unexpired ?? blockedBy[0] ?? payment.lines[0])?.workOrderNumber ?? 0;
        return { ok: false, refusal: { code: 'in-progress', workOrderNumber } };
      }
      for (const { intentId } of blockedBy) await abandonExpired(deps, { intentId });
    }
  }
}

const isClosed = (reason: TakenBack['reason']) =>
  'ok' in reason && reason.refusal?.code === 'payments-closed';

const franchisesOf = ({ lines }: Payment) => ({
  franchiseIds: [...new Set(lines.map(({ franchiseId }) => franchiseId))],
});

async function claimInside(
  deps: Deps,
  tx: Queryable,
  { payment, admissions }: { payment: Payment; admissions: Admission[] },
): Promise<Claimed> {
  // `briefTransaction` runs this again after a deadlock: leave what the run before was admitted to.
  leaveAll(admissions);
  const resolved = payment.invoice ? [payment.invoice] : await resolve(tx, payment);
  const invoiceIds = resolved.map((line) => line.invoiceId);
  const accounts = new Set(resolved.map((line) => line.accountId)).size;
  const seconds = Math.min(
    FIRST_ACCOUNT_SECONDS + FURTHER_ACCOUNT_SECONDS * (accounts - 1),
    LONGEST_PAYMENT_SECONDS,
  );
  const millisecondsLeft = countDown(seconds * 1000);
  const intentId = randomUUID();
  // Claims exclude other payments only. Imports and refunds change invoices too: wait for them, then read the price.
  const [, intent, invoices] = await inOneTrip(tx, [
    () => lockInvoices(tx, invoiceIds),
    () => insertClaimingIntent(tx, { ...newIntent(deps, { payment, intentId, seconds }), invoiceIds }),
    () => readPayableInvoices(tx, { invoiceIds, ...payment }),
  ]);
  if (!intent) throw new TakenBack(KEY_TAKEN);
  const { createdAtMilliseconds, orderPrefix } = intent;
  if (intent.isClosed) refuse({ code: 'payments-closed' });
  if (intent.claimed < invoiceIds.length) {
    const blocking = await findBlockingClaims(tx, { intentId, invoiceIds });
    const blockedBy = blocking.map((block) => ({ ...block, ...numbersOf(resolved, block.invoiceId) }));
    throw new TakenBack({ blockedBy });
  }
  const found = intent.hasFoundPayments ? await findBlockingFoundPayment(tx, { invoiceIds }) : undefined;
  if (found) refuse({ code: 'payment-found', workOrderNumber: found.workOrderNumber });
  const lines = priceAll(payment, invoices);
  const parts = await openAccounts(deps, partPerAccount(lines));
  admit(deps, parts, admissions);
  const charges = parts.map((part) => ({
    ...part,
    chargeId: randomUUID(),
    orderId: newOrderId(orderPrefix),
  }));
  await storeCharges(tx, { intentId, charges });
  const leave = () => leaveAll(admissions);
  return { ok: true, intentId, createdAtMilliseconds, millisecondsLeft, charges, leave };
}

const newIntent = (
  deps: Deps,
  { payment, intentId, seconds }: { payment: Payment; intentId: string; seconds: number },
) => ({
  ...payment,
  ...franchisesOf(payment),
  id: intentId,
  seconds,
  publicUrl: deps.env.PUBLIC_URL,
  seen: deps.books.newest(),
});

const refuse = (refusal: Refusal): never => {
  throw new TakenBack({ ok: false, refusal });
};

async function resolve(tx: Queryable, payment: Payment): Promise<ResolvedInvoice[]> {
  const seen = new Set<string>();
  for (const { franchiseId, workOrderNumber } of payment.lines) {
    const name = `${franchiseId}/${workOrderNumber}`;
    if (seen.has(name)) refuse({ code: 'repeated-work-order', workOrderNumber });
    seen.add(name);
  }
  const resolved = await resolveInvoices(tx, { workOrders: payment.lines, userId: payment.userId });
  if (resolved.length < payment.lines.length) refuse({ code: 'invoice-not-found' });
  return resolved;
}

function numbersOf(resolved: ResolvedInvoice[], invoiceId: number): WorkOrderNumbers {
  const { franchiseId = 0, workOrderNumber = 0 } =
    resolved.find((line) => line.invoiceId === invoiceId) ?? {};
  return { franchiseId, workOrderNumber };
}

function priceAll(payment: Payment, invoices: PayableInvoiceRow[]): ClaimedLine[] {
  if (invoices.length < payment.lines.length) refuse({ code: 'invoice-not-found' });
  const mustAcceptTerms = invoices.some((invoice) => !invoice.legalAccepted);
  if (mustAcceptTerms && !payment.legalAccepted) refuse({ code: 'legal-not-accepted' });
  return invoices.map((invoice) => {
    const line = payment.lines.find(
      ({ franchiseId, workOrderNumber }) =>
        franchiseId === invoice.franchiseId && workOrderNumber === invoice.workOrderNumber,
    );
    if (!line) throw new Error(`invoice ${invoice.invoiceId} is not in the payment`);
    return { invoice, priced: price(invoice, line) };
  });
}

function price(invoice: PayableInvoiceRow, line: PaymentLine): PricedLine {
  const priced = priceSeenWorkOrder(invoice, line);
  return priced.ok ? priced.value : refuse(priced);
}

type Part = { account: SealedAccount; amountCents: Cents; lines: ClaimedLine[] };
type OpenPart = Omit<Part, 'account'> & { keys: MerchantKeys };

function partPerAccount(lines: ClaimedLine[]): Part[] {
  const byAccount = Map.groupBy(lines, ({ invoice }) => invoice.account?.id);
  return [...byAccount.values()]
    .map((own) => {
      const account = own[0]?.invoice.account;
      if (!account) throw new Error('the portal has no merchant account');
      const amountCents = sumCents(own.map(({ priced }) => priced.totals.totalCents));
      if (isTooLarge(amountCents)) refuse({ code: 'total-too-large' });
      return { account, amountCents, lines: own };
    })
    .sort((one, other) => one.account.id - other.account.id);
}

/** An account with unreadable keys closes only its own invoices. */
async function openAccounts(deps: Deps, parts: Part[]): Promise<OpenPart[]> {
  const open: OpenPart[] = [];
  for (const { account, ...part } of parts) {
    const keys = await openSealedKeys(deps, account);
    const franchise = part.lines[0]?.invoice.franchiseName ?? '';
    if (keys.isUnreadable) refuse({ code: 'account-closed', franchise });
    open.push({ ...part, keys });
  }
  return open;
}

/** Turns the payment away while the provider keeps failing on an account; the rollback drops its claims. */
function admit(deps: Pick<Deps, 'gateways'>, parts: OpenPart[], admissions: Admission[]): void {
  for (const { keys } of parts) {
    const admission = deps.gateways.admit(keys.id);
    admissions.push(admission ?? refuse({ code: 'provider-failing' }));
  }
}

function leaveAll(admissions: Admission[]): void {
  for (const admission of admissions.splice(0)) admission.leave();
}

async function storeCharges(
  tx: Queryable,
  { intentId, charges }: { intentId: string; charges: ClaimedCharge[] },
): Promise<void> {
  await insertCharges(tx, {
    charges: charges.map(({ chargeId, keys, orderId, amountCents }) => ({
      id: chargeId,
      intentId,
      merchantAccountId: keys.id,
      orderId,
      amountCents,
    })),
    allocations: charges.flatMap(({ chargeId, lines }) =>
      lines.map(({ invoice, priced: { totals, ...priced } }) => ({
        ...priced,
        chargeId,
        invoiceId: invoice.invoiceId,
        pricedVersion: invoice.version,
      })),
    ),
  });
}
