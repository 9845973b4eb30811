import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { ActForm } from '../../../ui/act/act-form.tsx';
import { hasPasskeys, isPasskeyHost } from './passkeys.ts';

/** A form with one button that uses a passkey. Says so if the browser doesn't support them. */
export function PasskeyButton({
  children,
  act,
  className = 'btn btn-outline',
}: {
  children: string;
  act: () => Promise<ActionResult>;
  className?: string;
}) {
  if (!isPasskeyHost()) return null;
  if (!hasPasskeys()) return <p className="quiet">This browser has no passkeys. Use your password.</p>;
  return (
    <ActForm act={act}>
      {({ isPending }) => (
        <SubmitButton className={className} isPending={isPending}>
          {children}
        </SubmitButton>
      )}
    </ActForm>
  );
}
