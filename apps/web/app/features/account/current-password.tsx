import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';

/** Asks for the password again before anything that the thief of a session would want. */
export function CurrentPassword({ email, errors }: { email: string; errors: string[] | undefined }) {
  return (
    <PasswordField
      username={email}
      label="Current password"
      autoComplete="current-password"
      errors={errors}
    />
  );
}
