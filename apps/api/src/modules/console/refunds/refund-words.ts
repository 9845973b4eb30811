import { formatDay, franchiseDay } from '../../../franchise-day.ts';
import { sayNotMade, sayRefused } from '../../payments/refunds/moves/ended-words.ts';
import { sayHeldFor } from '../../payments/refunds/moves/held-for.ts';
import type { RefundLineRow, RefundRow } from './refund-rows.queries.ts';

type Told = Pick<
  RefundRow,
  | 'state'
  | 'method'
  | 'waitsFor'
  | 'heldFor'
  | 'providerWords'
  | 'isClosed'
  | 'wasSentAgain'
  | 'undoneAt'
  | 'timeZone'
> & { lines: Pick<RefundLineRow, 'behind'>[] };

/** The state of a refund, in words for staff on the phone. */
export function refundWords(refund: Told): string {
  const { state, method, waitsFor, heldFor, providerWords, undoneAt, timeZone } = refund;
  switch (state) {
    case 'requested':
      return 'Waits for approval';
    case 'waiting':
      return WAITS[waitsFor ?? (refundWaitedFor(refund) === null ? 'sending' : 'another')];
    case 'sending':
      return 'Being sent';
    case 'unknown':
      return 'We asked and have no answer yet. Do not send it again; we are looking.';
    case 'made':
      if (undoneAt !== null) return `Undone ${dayOf(undoneAt, timeZone)}: the provider took it back.`;
      return method === 'void'
        ? 'Charge voided. It disappears from the statement.'
        : 'Refunded. Banks show it in 5 to 10 business days.';
    case 'refused':
      return sayRefused(providerWords, dealtWith(refund));
    case 'not_made':
      return sayNotMade(dealtWith(refund));
    case 'held':
      return sayHeldFor(heldFor);
    case 'withdrawn':
      return 'Withdrawn. Nothing was sent.';
  }
}

const dayOf = (instant: string, timeZone: string) => formatDay(franchiseDay(instant, timeZone), 'medium');

/** The refund that has to end before this one is sent, if nothing else keeps it. */
export function refundWaitedFor({ waitsFor, lines }: Pick<Told, 'waitsFor' | 'lines'>): string | null {
  return waitsFor === null ? (lines.find(({ behind }) => behind !== null)?.behind ?? null) : null;
}

/** What somebody has done about a refund that came to nothing: whoever reads it must not do it once more. */
function dealtWith({ isClosed, wasSentAgain }: Told): string | undefined {
  if (isClosed) return 'Nothing went back; it was closed with a note.';
  return wasSentAgain ? 'Nothing went back; it was sent again.' : undefined;
}

const WAITS = {
  settlement: 'Waits for settlement',
  keys: 'Waits: the provider refuses our keys',
  'older-list': 'Waits: an older part of the provider’s list is being read',
  another: 'Waits until another refund of the invoice has ended',
  sending: 'Waits to be sent',
};
