import { type Cents, formatUsd } from '@brightpane/money/cents';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { Money } from '@brightpane/ui/words/money.tsx';
import { useIsLong } from '../../lib/use-is-long.ts';

/**
 * The total and the Pay button. On phones they stick to the bottom while the form scrolls. Each text that changes is the
 * only one of its element: a browser that translates the page replaces texts, and React finds only such a one again.
 */
export function PayBar({
  totalCents,
  isPaying,
  disabled,
  note,
  next,
}: {
  totalCents: Cents;
  isPaying: boolean;
  disabled: boolean;
  /** What the card is charged, below the button. */
  note: string;
  /** What happens then; a phone has no room for it. */
  next: string;
}) {
  const isLong = useIsLong(isPaying);
  return (
    <div className="pay-bar" aria-busy={isPaying}>
      <p className="pay-bar-total">
        Total <Money cents={totalCents} />
      </p>
      <SubmitButton
        className="btn btn-primary btn-large"
        isPending={isPaying}
        pendingText="Paying…"
        disabled={disabled}
      >
        {`Pay ${formatUsd(totalCents)}`}
      </SubmitButton>
      <p className="pay-bar-note" role="status">
        <span>{isPaying ? waitNote(isLong) : note}</span>{' '}
        <span className="pay-bar-next">{isPaying ? '' : next}</span>
      </p>
    </div>
  );
}

/** Below the button while something is on its way to the card processor. */
export const waitNote = (isLong: boolean) =>
  `${isLong ? 'Still working with the card processor… ' : ''}Please do not close this page.`;
