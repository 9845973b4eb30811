import type { ChargeState } from '../../../db/schema/payments.ts';

const GIVING_BACK = 'Not charged. A hold may show on the card for some days; we are giving it back.';
// Somebody may have captured the hold by hand at the provider; the state is the same as if nobody had found it.
const LOOKING =
  "It is unclear whether the card is held or charged. Look at the provider's record before the customer pays again; headquarters is looking.";
const NOT_CHARGED = 'Not charged.';

/** The state of a charge, in words for staff on the phone. */
export function chargeWords({
  state,
  answer,
  collectedAt,
  timeZone,
  lines,
  isPayerTold,
}: {
  state: ChargeState;
  /** The sentence that the payer read. */
  answer: string | null;
  collectedAt: string | null;
  timeZone: string;
  /** Its work orders, with what is due on them now. */
  lines: { workOrderNumber: number; balanceCents: number }[];
  /** Whether a mail told the payer that it could not be collected. */
  isPayerTold: boolean;
}): string {
  switch (state) {
    case 'accepted':
      return 'Paid, being collected.';
    case 'captured':
      return `Paid. Collected ${collectedAt === null ? '' : formatTime(collectedAt, timeZone)}.`;
    case 'reversing':
      return 'Collection is failing. We are making sure that nothing was taken.';
    case 'capture_failed':
      return `Not collected. The card was not charged, ${dueWords(lines)}, the payer was ${isPayerTold ? 'told' : 'not told by mail'}.`;
    case 'refused':
      return answer === null ? 'Declined.' : `Declined: ${answer}`;
    case 'abandoned':
    case 'releasing':
      return GIVING_BACK;
    case 'unresolved':
    case 'conflict':
      return LOOKING;
    case 'released':
    case 'absent':
    case 'authorising':
    case 'authorised':
      return NOT_CHARGED;
  }
}

/** An import may have lowered an invoice, and somebody may have paid it since. */
function dueWords(lines: { workOrderNumber: number; balanceCents: number }[]): string {
  const due = lines.filter(({ balanceCents }) => balanceCents > 0);
  const isOne = lines.length === 1;
  if (due.length === 0) return `nothing is due on the ${isOne ? 'invoice' : 'invoices'} now`;
  if (due.length === lines.length) return isOne ? 'the invoice is due again' : 'the invoices are due again';
  const numbers = due.map(({ workOrderNumber }) => workOrderNumber).join(', ');
  return due.length === 1 ? `work order ${numbers} is due again` : `work orders ${numbers} are due again`;
}

/** `Nov 21, 2:06 PM`, in the franchise's time zone. */
function formatTime(instant: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
  // Node writes a narrow no-break space before AM and PM.
  return format.format(new Date(instant)).replace(/\s/g, ' ');
}
