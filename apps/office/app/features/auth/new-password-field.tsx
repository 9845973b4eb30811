import { SHORTEST_PASSWORD } from '@brightpane/contract/customers/shortest-password';
import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';

/** Where a member of staff chooses a password. Password managers keep it with `email`. */
export function NewPasswordField({
  email,
  label = 'New password',
  errors,
}: {
  email: string;
  label?: string;
  errors: string[] | undefined;
}) {
  return (
    <PasswordField
      username={email}
      label={label}
      autoComplete="new-password"
      minLength={SHORTEST_PASSWORD.staff}
      errors={errors}
    />
  );
}
