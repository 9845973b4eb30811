import type { FranchiseSettingsPage } from '@brightpane/contract/office/settings';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useRef } from 'react';
import { ActForm } from '../../ui/act/act-form.tsx';
import { useSavedValues } from '../../ui/act/use-saved-values.ts';
import { typedAmount } from '../../ui/fields/typed-amount.ts';

/** **Refund limits**: what one person may refund alone. */
export function RefundLimits({
  franchise: { refundLimit, refundDayLimit, version },
  save,
}: {
  franchise: FranchiseSettingsPage;
  save: (body: object) => Promise<ActionResult>;
}) {
  const form = useRef<HTMLFormElement>(null);
  useSavedValues(form, version);
  return (
    <ActForm
      ref={form}
      label="Refund limits"
      className="act-form settings-form"
      act={(data) =>
        save({
          refundLimit: typedAmount(formText(data, 'refundLimit')),
          refundDayLimit: typedAmount(formText(data, 'refundDayLimit')),
        })
      }
    >
      {({ isPending, errors }) => (
        <>
          <FormField
            label="Refunds of one payment"
            name="refundLimit"
            prefix="$"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={refundLimit.toFixed(2)}
            help="What one person gives back of a payment within 24 hours. With 0.00 every refund needs an approval."
            errors={errors.refundLimit}
          />
          <FormField
            label="Refunds on one day"
            name="refundDayLimit"
            prefix="$"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={refundDayLimit.toFixed(2)}
            help="What one person gives back on a day, of all payments together."
            errors={errors.refundDayLimit}
          />
          <SubmitButton className="btn btn-outline" isPending={isPending}>
            Save the refund limits
          </SubmitButton>
        </>
      )}
    </ActForm>
  );
}
