import type { Payment } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { ActDialog } from '../../ui/act/act-dialog.tsx';
import { useAct } from '../../ui/act/use-act.ts';

/** Why there is no receipt to send; `null` if there is one. */
export function whyNoReceipt(shares: Payment['shares']): string | null {
  const states = shares.map(({ chargeState }) => chargeState);
  if (states.some((state) => state === 'accepted' || state === 'captured')) return null;
  return states.includes('reversing')
    ? 'There is no receipt while collection is failing.'
    : 'There is no receipt: nothing was paid.';
}

/** **Send receipt**: to the first one's address or another one. */
export function SendReceipt({ payment }: { payment: Payment }) {
  const { paymentId, mails, payer } = payment;
  const act = useAct();
  return (
    <ActDialog
      button="Send receipt"
      className="btn btn-primary"
      title="Send receipt"
      done={null}
      act={(form) => {
        const email = formText(form, 'email').trim();
        return act(
          OFFICE_ENDPOINTS.sendReceipt,
          {
            params: { paymentId },
            body: email === '' ? {} : { email },
            once: `receipt ${paymentId}`,
          },
          () => (email === '' ? 'The receipt is on its way.' : `The receipt goes to ${email}.`),
        );
      }}
    >
      {({ errors }) => <ReceiptEmailField mails={mails} payerEmail={payer.email} errors={errors.email} />}
    </ActDialog>
  );
}

/** The field for the address that the receipt is sent to. A mail of a closed account has an empty one. */
export function ReceiptEmailField({
  mails,
  payerEmail,
  errors,
}: {
  mails: Payment['mails'];
  payerEmail: string | null;
  errors: string[] | undefined;
}) {
  const [first, ...more] = mails.filter(({ kind }) => kind === 'payment-receipt').map(({ to }) => to);
  const known = [first, ...more].find((to) => to !== '');
  const help =
    first === ''
      ? 'The address of the first one was removed with the account.'
      : first && `The first one went to ${first}.`;
  return (
    <EmailField
      autoComplete="off"
      defaultValue={known ?? payerEmail ?? ''}
      required={false}
      help={help}
      errors={errors}
    />
  );
}
