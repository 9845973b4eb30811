import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { useSendOnce } from '@brightpane/ui/forms/use-send-once';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { LeaveDialog } from '@brightpane/ui/page/dialog/leave-dialog.tsx';
import { type FormEvent, startTransition, useState } from 'react';
import { Link } from 'react-router';
import { env } from '../../lib/env.ts';
import { hasPersonGone } from '../../lib/session/pages-person.ts';
import { useIsLong } from '../../lib/use-is-long.ts';
import { CardField } from '../card-entry/card-field.tsx';
import { useCardEntry } from '../card-entry/use-card-entry.ts';
import { waitNote } from '../payments/pay-bar.tsx';
import type { CardToAdd } from './add-payment-method.ts';

/** The card in its processor's frame, and its billing address. A failure keeps what was typed. */
export function AddPaymentMethodForm({
  result,
  isSaving,
  isSaved,
  cancelTo,
  onAdd,
}: {
  /** The last attempt's outcome. */
  result: ActionResult | undefined;
  isSaving: boolean;
  /** The next page is on its way. */
  isSaved: boolean;
  cancelTo: string;
  /** Resolves when the answer has arrived. */
  onAdd: (card: Pick<CardToAdd, 'paymentKey' | 'maskedCard' | 'street' | 'postalCode'>) => Promise<void>;
}) {
  const [isTokenizing, setIsTokenizing] = useState(false);
  /** The previous outcome is stale once the next attempt begins, even if the frame refuses that card. */
  const [isResultOld, setIsResultOld] = useState(false);
  const card = useCardEntry(env.defaultPublicKey || null);
  const isSending = isTokenizing || isSaving;
  const isPending = isSending || isSaved;
  const isLong = useIsLong(isPending);
  const errors = result?.fieldErrors ?? {};

  const { send, noteClick } = useSendOnce({ isPending });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (card.state === 'ready') send(event, () => add(form));
  }

  async function add(form: FormData) {
    setIsTokenizing(true);
    setIsResultOld(true);
    const key = await card.tokenize();
    if (!key.ok) return setIsTokenizing(false);
    const added = onAdd({
      paymentKey: key.paymentKey,
      maskedCard: key.maskedCard,
      street: formText(form, 'street').trim(),
      postalCode: formText(form, 'postalCode').trim(),
    });
    // In one render with the router's change: otherwise the last outcome would show again in between and take the focus.
    startTransition(() => {
      setIsTokenizing(false);
      setIsResultOld(false);
    });
    await added;
  }

  return (
    <form className="panel add-card-form" onClickCapture={noteClick} onSubmit={submit} aria-busy={isPending}>
      <fieldset disabled={isPending} className="add-card-lock">
        <CardField
          card={card}
          isLocked={isSaving || isSaved}
          errors={isResultOld ? [] : [...(errors.paymentKey ?? []), ...(errors.maskedCard ?? [])]}
        />
        <div className="add-card-address" data-sentry-block>
          <FormField
            label="Street"
            name="street"
            autoComplete="billing address-line1"
            help="Where your bank sends the card’s bill."
            errors={errors.street}
          />
          <FormField
            label="Postal code"
            name="postalCode"
            autoComplete="billing postal-code"
            errors={errors.postalCode}
          />
        </div>
      </fieldset>
      {!isResultOld && <OutcomeAlert result={result} />}
      {isSending && (
        <LeaveDialog mayLeave={hasPersonGone}>
          Your card is still being added. If you leave, you do not see whether it was: look for it under
          Payment Methods.
        </LeaveDialog>
      )}
      <div className="button-row">
        <SubmitButton isPending={isPending} pendingText="Adding…" disabled={card.state !== 'ready'}>
          Add Payment Method
        </SubmitButton>
        {!isPending && (
          <Link className="btn btn-outline" to={cancelTo}>
            Cancel
          </Link>
        )}
      </div>
      <p className="quiet add-card-note" role="status">
        {isPending
          ? waitNote(isLong)
          : 'To see that the card is good, $1.00 is held on it for a moment and given back. Nothing is charged.'}
      </p>
    </form>
  );
}
