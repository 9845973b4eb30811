import type { PaymentState } from '@brightpane/contract/office/payments';
import { Badge } from '@brightpane/ui/page/badge.tsx';

const WORDS = {
  paid: ['Paid', 'success'],
  declined: ['Declined', 'neutral'],
  'not-charged': ['Not charged', 'neutral'],
  failed: ['Failed', 'danger'],
  refunded: ['Refunded', 'neutral'],
  'partly-refunded': ['Partly refunded', 'neutral'],
  review: ['Review', 'warning'],
  disputed: ['Disputed', 'danger'],
} as const satisfies Record<PaymentState, readonly [string, 'neutral' | 'warning' | 'danger' | 'success']>;

/** A payment's state, and whether headquarters is reviewing it. */
export function PaymentStateBadge({
  state,
  isInReview = false,
}: {
  state: PaymentState;
  isInReview?: boolean;
}) {
  const [words, tone] = WORDS[state];
  return (
    <>
      <Badge tone={tone}>{words}</Badge>{' '}
      {isInReview && state !== 'review' && <Badge tone="warning">Review</Badge>}
    </>
  );
}
