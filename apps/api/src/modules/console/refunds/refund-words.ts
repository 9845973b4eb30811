import { sayHeldFor } from '../../payments/refunds/moves/held-for.ts';
import type { RefundRow } from './refund-rows.queries.ts';

type Told = Pick<RefundRow, 'state' | 'method' | 'waitsFor' | 'heldFor' | 'providerWords'>;

/** The state of a refund, in words for staff on the phone. */
export function refundWords({ state, method, waitsFor, heldFor, providerWords }: Told): string {
  switch (state) {
    case 'requested':
      return 'Waits for approval';
    case 'waiting':
      return WAITS[waitsFor ?? 'sending'];
    case 'sending':
      return 'Being sent';
    case 'unknown':
      return 'We asked and have no answer yet. Do not send it again; we are looking.';
    case 'made':
      return method === 'void'
        ? 'Charge voided. It disappears from the statement.'
        : 'Refunded. Banks show it in 5 to 10 business days.';
    case 'refused':
      return `Refused: ${providerWords ?? 'The provider does not say why.'} Nothing went back; pay it back another way.`;
    case 'not_made':
      return 'Not made. Nothing went back. It is safe to send again.';
    case 'held':
      return sayHeldFor(heldFor);
    case 'withdrawn':
      return 'Withdrawn. Nothing was sent.';
  }
}

const WAITS = {
  settlement: 'Waits for settlement',
  keys: 'Waits: the provider refuses our keys',
  'older-list': 'Waits: an older part of the provider’s list is being read',
  sending: 'Waits to be sent',
};
