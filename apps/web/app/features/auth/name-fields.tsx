import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';

export function NameFields({
  errors,
  defaults,
}: {
  errors: FieldErrors;
  /** Initial values. */
  defaults?: { firstName: string; lastName: string };
}) {
  return (
    <div className="field-grid">
      <FormField
        label="First name"
        name="firstName"
        autoComplete="given-name"
        defaultValue={defaults?.firstName}
        className="half span-3"
        errors={errors.firstName}
      />
      <FormField
        label="Last name"
        name="lastName"
        autoComplete="family-name"
        defaultValue={defaults?.lastName}
        className="half span-3"
        errors={errors.lastName}
      />
    </div>
  );
}
