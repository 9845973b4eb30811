import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { useRef } from 'react';
import { Form, useSearchParams } from 'react-router';
import { useSavedValues } from '../../ui/act/use-saved-values.ts';

/** **From** and **To** of a customer's statement, and what the server says against them. */
export function StatementDays({
  of: { franchiseId, customerNumber },
  from,
  to,
  errors = {},
}: {
  of: { franchiseId: number | string; customerNumber: number | string };
  from: string;
  to: string;
  errors?: FieldErrors;
}) {
  const [search] = useSearchParams();
  const chosen = search.get('franchiseId');
  const form = useRef<HTMLFormElement>(null);
  // Follows days that changed in the URL, without overwriting what is being typed.
  useSavedValues(form, `${from} ${to}`);
  return (
    <Form
      ref={form}
      method="get"
      action={`/customers/${franchiseId}/${customerNumber}/statement`}
      className="list-filters-fields statement-days no-print"
    >
      {chosen !== null && <input type="hidden" name="franchiseId" value={chosen} />}
      <FormField label="From" name="from" type="date" defaultValue={from} errors={errors.from} />
      <FormField label="To" name="to" type="date" defaultValue={to} errors={errors.to} />
      <button type="submit" className="btn btn-outline">
        Open statement
      </button>
    </Form>
  );
}
