import type { GuestSaleAnswer, PortalSaleAnswer } from '@brightpane/contract/invoices/payments';
import type { Problem } from '@brightpane/contract/problem';
import { fromDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { StoredOutcome } from './outcomes.ts';

/** What the previous version stored with a payment: the answer itself. */
export type AnswerBefore = {
  status: number;
  body: GuestSaleAnswer | PortalSaleAnswer | Problem | Record<string, never>;
};

export function readToldBefore({ status, body }: AnswerBefore): StoredOutcome {
  if ('amount' in body) {
    const references = 'references' in body ? body.references : [body.reference];
    return { code: 'paid', amountCents: fromDollars(body.amount) ?? cents(0), references };
  }
  return isProblem(body) ? { code: 'told-before', status, body } : { code: 'card-added' };
}

const isProblem = (body: object): body is Problem => 'errors' in body;
