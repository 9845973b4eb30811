import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import type { BillingField } from './guest-draft.ts';

type Field = {
  name: BillingField;
  label: string;
  autoComplete: string;
  /** On a phone, and above. */
  width?: 'half span-3' | 'half span-2' | 'span-2' | 'span-3';
  type?: 'tel';
  /** An address has the type text, because browsers refuse some valid ones as `email`; the server decides. */
  inputMode?: 'email';
  autoCapitalize?: 'none';
  spellCheck?: false;
  optional?: true;
  help?: string;
};

const FIELDS: Field[] = [
  { name: 'firstName', label: 'First name', autoComplete: 'billing given-name', width: 'half span-3' },
  { name: 'lastName', label: 'Last name', autoComplete: 'billing family-name', width: 'half span-3' },
  { name: 'street', label: 'Street', autoComplete: 'billing address-line1' },
  { name: 'street2', label: 'Street 2', autoComplete: 'billing address-line2', optional: true },
  { name: 'city', label: 'City', autoComplete: 'billing address-level2', width: 'span-2' },
  { name: 'state', label: 'State', autoComplete: 'billing address-level1', width: 'half span-2' },
  { name: 'postalCode', label: 'Postal code', autoComplete: 'billing postal-code', width: 'half span-2' },
  {
    name: 'phone',
    label: 'Phone',
    autoComplete: 'billing tel',
    type: 'tel',
    width: 'span-3',
    optional: true,
  },
  {
    name: 'email',
    label: 'Email',
    autoComplete: 'billing email',
    inputMode: 'email',
    autoCapitalize: 'none',
    spellCheck: false,
    width: 'span-3',
    optional: true,
    help: 'For your receipt.',
  },
];

/** The payer and the card's billing address. The fields are uncontrolled, so they keep what was typed. */
export function BillingForm({
  errors,
  onEmail,
}: {
  errors: FieldErrors;
  /** Called with what is typed as the email address. */
  onEmail: (email: string) => void;
}) {
  return (
    <div className="field-grid" data-sentry-block>
      {FIELDS.map(({ name, width = '', ...field }) => (
        <FormField
          key={name}
          {...field}
          name={name}
          className={width}
          errors={errors[name]}
          onChange={name === 'email' ? (event) => onEmail(event.target.value) : undefined}
        />
      ))}
    </div>
  );
}
