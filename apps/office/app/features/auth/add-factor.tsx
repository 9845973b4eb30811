import { Alert } from '@brightpane/ui/alert.tsx';
import type { Answer } from '@brightpane/ui/ask-server';
import { formText } from '@brightpane/ui/form-text';
import { SubmitButton } from '@brightpane/ui/submit-button.tsx';
import { useState } from 'react';
import { callOffice } from '../../lib/api-client.ts';
import { refusedResult } from '../../lib/refusal.ts';
import { ActForm } from '../../ui/act-form.tsx';
import { ADD_PASSKEY, CONFIRM_APP, NEW_PASSKEY_OPTIONS, START_APP } from './auth-calls.ts';
import { resultOf } from './auth-result.ts';
import { CodeField, digitsOf } from './code-field.tsx';
import { hasPasskeys, isPasskeyHost, makePasskey } from './passkeys.ts';
import { QrCode } from './qr-code.tsx';

/** A secret for an authenticator app, waiting for its first code. */
type NewApp = { factorId: string; secret: string; uri: string; qr: { size: number; path: string } };

/** What a further factor answers; the first one answers codes and who is signed in. */
export type FactorAdded<Added> = (added: Added) => void | Promise<void>;

/**
 * **Add a passkey** or **Use an authenticator app**, which goes on with a QR code and its first **Code**. `stepUp` names
 * the act where somebody has a factor already and has to confirm with it.
 */
export function AddFactor<Added>({
  onAdded,
  hasApp = false,
  name = '',
  stepUp,
}: {
  onAdded: FactorAdded<Added>;
  /** One app is all that a person has. */
  hasApp?: boolean;
  /** What the person calls it; without it, a name by its kind. */
  name?: string;
  stepUp?: string;
}) {
  const [app, setApp] = useState<NewApp | null>(null);
  const how = stepUp === undefined ? { isAnonymous: true } : { stepUp };
  if (app !== null) {
    return (
      <div className="add-app">
        <p>
          Scan this with your authenticator app, or type the secret into it. Then enter the code that it
          shows.
        </p>
        <div className="add-app-secret">
          <QrCode {...app.qr} label="QR code of the secret" />
          <p>
            Secret
            <code>{grouped(app.secret)}</code>
          </p>
        </div>
        <ActForm
          className="auth-form"
          act={async (form) => {
            const body = {
              factorId: app.factorId,
              code: digitsOf(formText(form, 'code')),
              name: name || 'Authenticator app',
            };
            return resultOf(await callOffice<Added>(CONFIRM_APP, { body, ...how }), onAdded);
          }}
        >
          {({ isPending, errors }) => (
            <>
              <CodeField errors={errors.code} />
              <SubmitButton isPending={isPending}>Confirm</SubmitButton>
            </>
          )}
        </ActForm>
        <button type="button" className="btn btn-quiet" onClick={() => setApp(null)}>
          Take another way
        </button>
      </div>
    );
  }
  return (
    <div className="add-factor">
      {isPasskeyHost() &&
        (hasPasskeys() ? (
          <ActForm
            act={async () => resultOf(await makePasskey<Added>(PASSKEY, name || 'Passkey', how), onAdded)}
          >
            {({ isPending }) => <SubmitButton isPending={isPending}>Add a passkey</SubmitButton>}
          </ActForm>
        ) : (
          <p className="quiet">This browser has no passkeys. Use an authenticator app.</p>
        ))}
      {hasApp ? (
        <Alert tone="warning">You have an authenticator app already. Remove it before you add another.</Alert>
      ) : (
        <ActForm
          act={async () => {
            const answer: Answer<NewApp> = await callOffice<NewApp>(START_APP, { body: {}, ...how });
            if (!answer.ok) return refusedResult(answer.problem);
            setApp(answer.data);
            return { success: true, message: '' };
          }}
        >
          {({ isPending }) => (
            <SubmitButton className="btn btn-outline" isPending={isPending}>
              Use an authenticator app
            </SubmitButton>
          )}
        </ActForm>
      )}
    </div>
  );
}

const PASSKEY = { options: NEW_PASSKEY_OPTIONS, confirm: ADD_PASSKEY };

/** In fours, as people read it from one screen and type it into another. */
function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
