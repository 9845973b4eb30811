import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';
import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { CancelButton } from '@brightpane/ui/page/dialog/cancel-button.tsx';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { startTransition, useState } from 'react';
import { useFetcher } from 'react-router';
import { cardName } from './card-name.ts';

/** Deletes a card after asking. Its form posts the intent `remove-payment-method` to its own page. */
export function DeletePaymentMethod({ card }: { card: PaymentMethod }) {
  const [isAsking, setIsAsking] = useState(false);
  const fetcher = useFetcher<ActionResult>();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  useGoTo(result);
  const isDeleting = fetcher.state !== 'idle' || result?.success === true;
  return (
    <>
      <button
        type="button"
        className="btn btn-outline"
        disabled={isDeleting}
        onClick={() => setIsAsking(true)}
      >
        Delete Payment Method
      </button>
      <Dialog title="Delete this card?" isOpen={isAsking || isDeleting} onClose={() => setIsAsking(false)}>
        <p>
          You will not be able to pay with {cardName(card)} any more. Payments that have been made stay as
          they are.
        </p>
        <FetcherForm
          fetcher={fetcher}
          className="button-row"
          // In one render with the router's change: otherwise the question would close and open again in between.
          onSend={() => startTransition(() => setIsAsking(false))}
        >
          <SubmitButton
            name="intent"
            value="remove-payment-method"
            className="btn btn-danger"
            isPending={isDeleting}
          >
            Delete Payment Method
          </SubmitButton>
          <CancelButton className="btn btn-outline" />
        </FetcherForm>
      </Dialog>
      <OutcomeAlert result={result} />
    </>
  );
}
