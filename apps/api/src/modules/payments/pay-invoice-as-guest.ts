import { createHash } from 'node:crypto';
import type { GuestSale } from '@brightpane/contract/payments';
import type { Deps } from '../../deps.ts';
import { ok } from '../../http/result.ts';
import { checkLimits, countAgainst } from '../limits/check-limits.ts';
import { cap, type Guard } from '../limits/limit.ts';
import type { Basket } from './claim.ts';
import { hashRequest } from './hash-request.ts';
import { payBasket } from './pay-basket.ts';
import type { Refusal } from './payments.problems.ts';
import type { PaymentAnswer } from './replay-payment.ts';

/** Pays one invoice for somebody without an account, who accepts the terms each time. */
export async function payInvoiceAsGuest(
  deps: Deps,
  {
    sale,
    idempotencyKey,
    version,
    address,
  }: {
    sale: GuestSale;
    idempotencyKey: string | null;
    version: number | undefined;
    /** Where the payer sits, as `clientAddress` has it. */
    address: string;
  },
): Promise<PaymentAnswer> {
  const { franchiseId, workOrderNumber, paymentKey, cardType, maskedCard, ...details } = sale;
  const basket: Basket = {
    kind: 'guest',
    userId: null,
    idempotency: {
      scope: `guest:${franchiseId}:${workOrderNumber}`,
      // A payment key is good for one charge, so without a key of its own a repeat is known by it.
      key: idempotencyKey ?? `payment-key:${createHash('sha256').update(paymentKey).digest('hex')}`,
      requestHash: hashRequest({ franchiseId, workOrderNumber, ...details }),
    },
    lines: [
      {
        franchiseId,
        workOrderNumber,
        servicesCents: sale.additionalServiceAmount,
        servicesNote: sale.additionalServicesNote,
        tipCents: sale.tipAmount,
        version,
      },
    ],
    legalAccepted: sale.legalAccepted,
    sendReceipt: sale.sendReceipt,
    payerEmail: sale.email ?? null,
  };
  const guards = declineGuards({ address, franchiseId, workOrderNumber });
  const answer = await payBasket(deps, {
    basket,
    openCard: async () => ok({ paymentKey }),
    admit: () => refuseAfterDeclines(deps, guards),
    billing: {
      firstName: sale.firstName,
      lastName: sale.lastName,
      street: sale.address,
      street2: sale.address2,
      city: sale.city,
      state: sale.state,
      postalCode: sale.postalCode,
      phone: sale.phone,
    },
  });
  if (isDecline(answer)) await countAgainst(deps, guards);
  return answer;
}

const HOUR_SECONDS = 3_600;
const BY_INVOICE = cap('guest declines of an invoice', { max: 3, windowSeconds: HOUR_SECONDS });
const BY_ADDRESS = cap('guest declines', { max: 10, windowSeconds: HOUR_SECONDS });

/** Who tries stolen cards is slowed down, and by where they sit: nobody can keep an invoice's payer from paying it. */
function declineGuards({
  address,
  franchiseId,
  workOrderNumber,
}: {
  address: string;
  franchiseId: number;
  workOrderNumber: number;
}): Guard[] {
  return [
    { limit: BY_INVOICE, of: [address, franchiseId, workOrderNumber] },
    { limit: BY_ADDRESS, of: [address] },
  ];
}

async function refuseAfterDeclines(deps: Deps, guards: Guard[]): Promise<Refusal | null> {
  const allowed = await checkLimits(deps, guards);
  return allowed.ok ? null : { code: 'too-many-declines', retryAfterSeconds: allowed.retryAfterSeconds };
}

const isDecline = ({ replayed, body }: PaymentAnswer) =>
  !replayed && 'errors' in body && body.errors.some((error) => error.code === 'Declined');
