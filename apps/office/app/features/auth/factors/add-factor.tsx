import type { FactorAdded, NewApp } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { formText } from '@brightpane/ui/forms/form-text';
import { WayOutButton } from '@brightpane/ui/forms/sending/way-out-button.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { useState } from 'react';
import { callOffice } from '../../../lib/api-client.ts';
import { refusedResult } from '../../../lib/refusal.ts';
import { ActForm } from '../../../ui/act/act-form.tsx';
import { resultOf } from '../auth-result.ts';
import { CodeField, digitsOf } from './code-field.tsx';
import { hasPasskeys, isPasskeyHost, makePasskey } from './passkeys.ts';
import { QrCode } from './qr-code.tsx';

/**
 * **Add a passkey** or **Use an authenticator app**, which continues with a QR code and its first **Code**.
 * `stepUp` names the act for people who already have a factor and must confirm with it.
 */
export function AddFactor({
  onAdded,
  hasApp = false,
  name = '',
  stepUp,
}: {
  onAdded: (added: FactorAdded) => void | Promise<void>;
  /** A person can have only one app. */
  hasApp?: boolean;
  /** The person's name for it; the default is its kind. */
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
          <QrCode {...app.qr} label="The secret as a picture for your app" />
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
            return resultOf(
              await callOffice<FactorAdded>(OFFICE_ENDPOINTS.confirmApp, {
                body,
                once: 'confirm-app',
                ...how,
              }),
              onAdded,
            );
          }}
        >
          {({ isPending, errors }) => (
            <>
              <CodeField errors={errors.code} />
              <SubmitButton isPending={isPending}>Confirm</SubmitButton>
            </>
          )}
        </ActForm>
        <WayOutButton onClick={() => setApp(null)}>Take another way</WayOutButton>
      </div>
    );
  }
  return (
    <div className="add-factor">
      {isPasskeyHost() &&
        (hasPasskeys() ? (
          <ActForm
            act={async () =>
              resultOf(await makePasskey<FactorAdded>(PASSKEY, name || 'Passkey', how), onAdded)
            }
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
            const answer: Answer<NewApp> = await callOffice<NewApp>(OFFICE_ENDPOINTS.addApp, {
              body: {},
              once: 'add-app',
              ...how,
            });
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

const PASSKEY = { options: OFFICE_ENDPOINTS.newPasskeyOptions, confirm: OFFICE_ENDPOINTS.addPasskey };

/** In groups of four, to read from one screen and type into another. */
function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
