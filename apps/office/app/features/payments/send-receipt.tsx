import type { Payment } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { useId } from 'react';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { useAct } from '../../ui/act/use-act.ts';

/** States of charges that took money, or are about to. */
const PAID = ['accepted', 'captured', 'reversing'];

/** **Send receipt**: to the first one's address or another one. Disabled with a reason if nothing was paid. */
export function SendReceipt({ payment }: { payment: Payment }) {
  const { paymentId, mails, payer, shares } = payment;
  const act = useAct();
  const id = useId();
  if (!shares.some(({ chargeState }) => PAID.includes(chargeState))) {
    return (
      <div className="not-possible">
        <button type="button" className="btn btn-primary" disabled aria-describedby={id}>
          Send receipt
        </button>
        <span id={id} className="quiet">
          There is no receipt: nothing was paid.
        </span>
      </div>
    );
  }
  const first = mails.find(({ kind }) => kind === 'payment-receipt');
  return (
    <ActDialog
      button="Send receipt"
      className="btn btn-primary"
      title="Send receipt"
      act={(form) => {
        const email = formText(form, 'email').trim();
        return act(OFFICE_ENDPOINTS.sendReceipt, {
          params: { paymentId },
          body: email === '' ? {} : { email },
          once: `receipt ${paymentId}`,
        });
      }}
    >
      {({ errors }) => (
        <FormField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          defaultValue={first?.to ?? payer.email ?? ''}
          required={false}
          help={first && `The first one went to ${first.to}.`}
          errors={errors.email}
        />
      )}
    </ActDialog>
  );
}
