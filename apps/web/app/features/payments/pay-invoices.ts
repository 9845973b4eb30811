import type { PortalSaleAnswer, PortalSaleBody } from '@brightpane/contract/invoices/payments';
import type { Problem } from '@brightpane/contract/problem';
import { toDollars } from '@brightpane/contract/wire';
import { type Cents, ZERO } from '@brightpane/money/cents';
import type { ActionResult, FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { userStore } from '../../lib/session/user-store.ts';
import { centsOf } from '../invoices/open-amounts.ts';
import { idempotencyKey, keepsKey, renewIdempotencyKey } from './idempotency-key.ts';
import type { Payable } from './payable/payable.ts';
import { servicesNote } from './payable/services-note.ts';
import { termsShown } from './payable/terms/terms-shown.ts';
import { lineOf, type PaymentDraft } from './payment-draft.ts';
import { portalPaymentMessage, tellsOfEarlier } from './payment-messages.ts';

/** One press of Pay, as the route's action receives it. */
export type SubmittedDraft = {
  userId: string;
  body: PortalSaleBody;
  /** The invoices' keys, in the order of the body's work orders. */
  keys: string[];
  /** Their franchises. */
  paidTo: string[];
};

/** What the page says about a completed payment. */
export type PaymentDone = {
  /** Whose it is: the next person at this browser may go back to the page that was told of it. */
  userId: string;
  amountCents: Cents;
  /** The keys of the invoices just paid. */
  keys: string[];
  paidTo: string[];
  references: string[];
  sendsReceipt: boolean;
  /** Its page. Null if the server's answer came without an id, as before an update. */
  paymentId: string | null;
};

export type DraftResult = ActionResult & {
  /** The invoices may have changed since they were loaded, so load them again. */
  isStale: boolean;
  /** The invoices of an earlier payment that the answer tells of. */
  paidEarlier?: readonly string[];
  /** The answer says that nothing was paid, now or earlier. */
  isRefused?: boolean;
  /** The invoices of a payment that may have been made: no answer came, or none that says so. */
  mayBePaid?: readonly string[];
};

const DRAFT_NAME = 'portal';

export function portalSaleBody(
  draft: PaymentDraft,
  selected: readonly Payable[],
  { paymentMethodId, legalAccepted }: { paymentMethodId: string; legalAccepted: boolean },
): PortalSaleBody {
  return {
    paymentMethodId,
    sendReceipt: draft.sendReceipt,
    legalAccepted,
    workOrders: selected.map(({ key, invoice }) => {
      const { tipCents, services } = lineOf(draft, key);
      return {
        franchiseId: invoice.franchiseId,
        workOrderNumber: invoice.workOrderNumber,
        additionalServiceAmount: toDollars(services.amountCents),
        additionalServicesNote: servicesNote(services),
        tipAmount: toDollars(invoice.tipsEnabled ? tipCents : ZERO),
        version: invoice.version,
      };
    }),
  };
}

/** Pays the selected invoices with a saved card. The key is kept until the server says how the payment ended. */
export async function payInvoices(payment: SubmittedDraft): Promise<DraftResult> {
  const { userId, body, keys, paidTo } = payment;
  const store = userStore(userId);
  const answer = await callApi<PortalSaleAnswer>('portalSale', {
    body,
    headers: {
      'Idempotency-Key': idempotencyKey(DRAFT_NAME, withoutVersions(body), store),
      ...termsShown(),
    },
  });
  if (answer.ok) {
    renewIdempotencyKey(DRAFT_NAME, store);
    const done: PaymentDone = {
      userId,
      amountCents: centsOf(answer.data.amount),
      keys,
      paidTo,
      references: answer.data.references,
      sendsReceipt: Boolean(body.sendReceipt),
      paymentId: answer.data.paymentId ?? null,
    };
    const goTo = { path: '/invoices', state: { flash: 'Payment successful!', done } };
    return { success: true, message: '', goTo, isStale: false };
  }

  const { problem } = answer;
  const isOpen = keepsKey(problem);
  if (!isOpen) renewIdempotencyKey(DRAFT_NAME, store);
  if (!isExpected(problem)) reportError('portalSale', problem);
  return {
    success: false,
    message: portalPaymentMessage(problem),
    fieldErrors: lineErrors(problem, keys),
    isStale: [400, 404, 409, 422].includes(problem.status),
    isRefused: !isOpen && !tellsOfEarlier(problem),
    ...(tellsOfEarlier(problem) && { paidEarlier: keys }),
    ...(isOpen && ![409, 429].includes(problem.status) && { mayBePaid: keys }),
  };
}

/** A changed invoice keeps the key, so that the server can say what the first press did. */
function withoutVersions(body: PortalSaleBody) {
  return { ...body, workOrders: body.workOrders.map(({ version, ...line }) => line) };
}

const LINE_FIELDS: Record<string, string> = {
  additionalServiceAmount: 'amount',
  additionalServicesNote: 'note',
};

/** The server's errors per work order, under the invoice's key: `7-1042.note`. */
export function lineErrors(problem: Pick<Problem, 'errors'>, keys: readonly string[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const { field = '', description } of problem.errors) {
    const [, index, name = ''] = /^workOrders\.(\d+)\.(\w+)$/.exec(field) ?? [];
    const key = keys[Number(index)];
    const formName = LINE_FIELDS[name];
    if (key === undefined || formName === undefined) continue;
    const place = `${key}.${formName}`;
    errors[place] = [...(errors[place] ?? []), description];
  }
  return errors;
}
