import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';

/** Asks for the password again before anything that the thief of a session would want. */
export function CurrentPassword({ errors }: { errors: string[] | undefined }) {
  return <PasswordField label="Current password" autoComplete="current-password" errors={errors} />;
}
