import type { FieldErrors } from '@brightpane/ui/action-result';
import { FormField } from '@brightpane/ui/form-field.tsx';

export function NameFields({ errors }: { errors: FieldErrors }) {
  return (
    <div className="field-grid">
      <FormField
        label="First name"
        name="firstName"
        autoComplete="given-name"
        className="half span-3"
        errors={errors.firstName}
      />
      <FormField
        label="Last name"
        name="lastName"
        autoComplete="family-name"
        className="half span-3"
        errors={errors.lastName}
      />
    </div>
  );
}
