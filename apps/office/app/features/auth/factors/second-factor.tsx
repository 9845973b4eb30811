import type { Me, SignInStarted } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { WayOutButton } from '@brightpane/ui/forms/sending/way-out-button.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { type ReactNode, useState } from 'react';
import { callOffice, hasCode } from '../../../lib/api-client.ts';
import { ActForm } from '../../../ui/act/act-form.tsx';
import { AuthColumn } from '../auth-column.tsx';
import { resultOf } from '../auth-result.ts';
import { CodeForm } from './code-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { signInByPasskey } from './passkeys.ts';

export type Method = SignInStarted['methods'][number];

type Steps = { methods: Method[]; onSignedIn: (me: Me) => void | Promise<void> };

/** The step after the right password. */
export function SecondFactor({
  onExpired,
  ...steps
}: Steps & {
  /** It took too long, or too many codes were wrong: start again with the password. */
  onExpired: () => void;
}) {
  const startAgain = <WayOutButton onClick={onExpired}>Start again</WayOutButton>;
  return (
    <AuthColumn title="Second factor" footer={startAgain}>
      <SecondFactorForms {...steps} />
    </AuthColumn>
  );
}

/** Forms for a code, a passkey or a recovery code, in a screen or a dialog. */
export function SecondFactorForms({ methods, onSignedIn }: Steps): ReactNode {
  const hasApp = methods.includes('totp');
  const [isRecovery, setIsRecovery] = useState(!hasApp && !methods.includes('passkey'));

  async function signedIn(answer: Answer<Me> | 'left'): Promise<ActionResult> {
    return resultOf(answer, onSignedIn);
  }
  if (isRecovery) {
    return (
      <>
        <p className="quiet">Each recovery code is good once.</p>
        <ActForm
          className="auth-form"
          act={async (form) => {
            const body = { code: formText(form, 'code').trim() };
            return signedIn(
              await callOffice<Me>(OFFICE_ENDPOINTS.showRecoveryCode, { body, isAnonymous: true }),
            );
          }}
        >
          {({ isPending, errors }) => (
            <>
              <FormField
                label="Recovery code"
                name="code"
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                autoFocus
                help="Such as ABCD-EFGH-JKMN-PQRS."
                errors={errors.code}
              />
              <SubmitButton isPending={isPending}>Confirm</SubmitButton>
            </>
          )}
        </ActForm>
        {hasApp && (
          <WayOutButton className="btn btn-outline" onClick={() => setIsRecovery(false)}>
            Use your app
          </WayOutButton>
        )}
      </>
    );
  }
  return (
    <>
      {hasApp && (
        <CodeForm
          className="auth-form"
          act={async (code) => {
            const body = { code };
            const answer = await callOffice<Me>(OFFICE_ENDPOINTS.showCode, { body, isAnonymous: true });
            return atCode(answer, await signedIn(answer));
          }}
        />
      )}
      {methods.includes('passkey') && (
        <PasskeyButton
          {...(!hasApp && { className: 'btn btn-primary' })}
          act={async () => signedIn(await signInByPasskey())}
        >
          Use a passkey
        </PasskeyButton>
      )}
      {methods.includes('recovery') && (
        <WayOutButton className="btn btn-outline" onClick={() => setIsRecovery(true)}>
          Use a recovery code
        </WayOutButton>
      )}
    </>
  );
}

/** A wrong or used code at sign-in is a 401 without a field; show it at the code field anyway. */
function atCode(answer: Answer<Me>, result: ActionResult): ActionResult {
  if (answer.ok || !['CodeWrong', 'CodeUsed'].some((code) => hasCode(answer.problem, code))) return result;
  return { success: false, message: '', fieldErrors: { code: [result.message] } };
}
