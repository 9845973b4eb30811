import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';

/** Of whoever is signed in: what is asked again before something that a thief of the session would want. */
export function CurrentPassword({ errors }: { errors: string[] | undefined }) {
  return <PasswordField label="Current password" autoComplete="current-password" errors={errors} />;
}
