import type { Payment } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { FormField } from '@brightpane/ui/form-field.tsx';
import { formText } from '@brightpane/ui/form-text';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { useAct } from '../../ui/use-act.ts';

/** **Send receipt**: where the first one went, or where the caller asks for it. */
export function SendReceipt({ payment: { paymentId, mails, payer } }: { payment: Payment }) {
  const act = useAct();
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
