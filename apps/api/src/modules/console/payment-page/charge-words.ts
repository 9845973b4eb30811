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
}: {
  state: ChargeState;
  /** The sentence that the payer read. */
  answer: string | null;
  collectedAt: string | null;
  timeZone: string;
}): string {
  switch (state) {
    case 'accepted':
      return 'Paid, being collected.';
    case 'captured':
      return `Paid. Collected ${collectedAt === null ? '' : formatTime(collectedAt, timeZone)}.`;
    case 'reversing':
      return 'Collection is failing. We are making sure that nothing was taken.';
    case 'capture_failed':
      return 'Not collected. The card was not charged, the invoice is due again, the payer was told.';
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
