import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { useIsHydrated } from '@brightpane/ui/page/use-is-hydrated';
import type { ReactNode } from 'react';
import type { SearchNumbers } from './three-numbers.ts';

/** The fields of the three numbers. The caller provides the form. */
export function InvoiceSearchFields({
  numbers,
  errors = {},
  isPending,
  submitLabel,
  cancel,
}: {
  numbers: SearchNumbers;
  errors?: FieldErrors;
  isPending: boolean;
  submitLabel: string;
  cancel?: ReactNode;
}) {
  // Submitted before hydration, the form would put its content into the URL unchecked.
  const isHydrated = useIsHydrated();
  return (
    <div className="search-fields">
      <FormField
        label="Franchise #"
        name="franchiseNumber"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={numbers.franchiseNumber}
        errors={errors.franchiseNumber}
      />
      <FormField
        label="Work Order #"
        name="workOrderNumber"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={numbers.workOrderNumber}
        errors={errors.workOrderNumber}
      />
      <FormField
        label="Zip Code"
        name="zipCode"
        autoComplete="postal-code"
        help="Of the address where the work was done."
        defaultValue={numbers.zipCode}
        errors={errors.zipCode}
      />
      <div className="button-row">
        <SubmitButton isPending={isPending} disabled={!isHydrated}>
          {submitLabel}
        </SubmitButton>
        {cancel}
      </div>
    </div>
  );
}
