import { tooLongFactorName } from '@brightpane/contract/office/factor-name';
import type { FactorAdded, NewApp } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { WayOutButton } from '@brightpane/ui/forms/sending/way-out-button.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useState } from 'react';
import { callOffice } from '../../../lib/api-client.ts';
import { refuseCardNumbers } from '../../../lib/card-number-guard.ts';
import { refusedResult } from '../../../lib/refusal.ts';
import { ActForm, DONE } from '../../../ui/act/act-form.tsx';
import { resultOf } from '../auth-result.ts';
import { CodeForm } from './code-form.tsx';
import { hasPasskeys, isPasskeyHost, makePasskey } from './passkeys.ts';
import { QrCode } from './qr-code.tsx';

/**
 * **Add a passkey** or **Use an authenticator app**, which continues with a QR code and its first **Code**.
 * `stepUp` names the act for people who already have a factor and must confirm with it.
 */
export function AddFactor({
  onAdded,
  hasApp = false,
  asksName = false,
  stepUp,
}: {
  onAdded: (added: FactorAdded) => void | Promise<void>;
  /** A person has one app: a new one replaces it. */
  hasApp?: boolean;
  /** Lets the person name it; the default is its kind. */
  asksName?: boolean;
  stepUp?: string;
}) {
  const [app, setApp] = useState<NewApp | null>(null);
  const [typedName, setTypedName] = useState('');
  const [way, setWay] = useState<Way>('passkey');
  const name = typedName.trim();
  const how = stepUp === undefined ? { isAnonymous: true } : { stepUp: hasApp && app ? REPLACE_APP : stepUp };
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
        <CodeForm
          className="auth-form"
          act={async (code) => {
            const body = { factorId: app.factorId, code, name: name || 'Authenticator app' };
            return resultOf(
              await callOffice<FactorAdded>(OFFICE_ENDPOINTS.confirmApp, {
                body,
                once: 'confirm-app',
                ...how,
              }),
              onAdded,
            );
          }}
        />
        <WayOutButton onClick={() => setApp(null)}>Take another way</WayOutButton>
      </div>
    );
  }

  const canMakePasskey = isPasskeyHost() && hasPasskeys();

  async function begin(chosen: Way): Promise<ActionResult> {
    setWay(chosen);
    const refused = refusalOfName(name);
    if (refused) return refused;
    if (chosen === 'passkey') {
      return resultOf(await makePasskey<FactorAdded>(PASSKEY, name || 'Passkey', how), onAdded);
    }
    const answer: Answer<NewApp> = await callOffice<NewApp>(OFFICE_ENDPOINTS.addApp, {
      body: {},
      once: 'add-app',
      ...how,
    });
    if (!answer.ok) return refusedResult(answer.problem);
    setApp(answer.data);
    return DONE;
  }

  return (
    <ActForm
      className="add-factor"
      act={(form) => begin(formText(form, 'way') === 'app' ? 'app' : 'passkey')}
    >
      {({ isPending, errors }) => (
        <>
          {asksName && (
            <FormField
              label="Name"
              name="name"
              value={typedName}
              onChange={({ target }) => setTypedName(target.value)}
              optional
              help="What you will know it by, such as Work laptop."
              errors={errors.name}
            />
          )}
          {isPasskeyHost() &&
            (canMakePasskey ? (
              <SubmitButton
                name="way"
                value="passkey"
                isPending={isPending && way === 'passkey'}
                disabled={isPending}
              >
                Add a passkey
              </SubmitButton>
            ) : (
              <p className="quiet">This browser has no passkeys. Use an authenticator app.</p>
            ))}
          <SubmitButton
            className="btn btn-outline"
            name="way"
            value="app"
            isPending={isPending && way === 'app'}
            disabled={isPending}
          >
            {hasApp ? 'Use another authenticator app' : 'Use an authenticator app'}
          </SubmitButton>
          {hasApp && <p className="quiet">It replaces the one you have.</p>}
        </>
      )}
    </ActForm>
  );
}

type Way = 'passkey' | 'app';

/** Two apps show codes at this moment, and only the old one proves the person. */
const REPLACE_APP = 'Replace your authenticator app: the code here is from the old one';

/** The server hears the name only with the passkey that was made, so it is looked at before. */
function refusalOfName(name: string): ActionResult | null {
  const cardNumber = refuseCardNumbers([{ name }]);
  if (cardNumber) return refusedResult(cardNumber);
  const message = tooLongFactorName(name);
  return message === null ? null : { success: false, message, fieldErrors: { name: [message] } };
}

const PASSKEY = { options: OFFICE_ENDPOINTS.newPasskeyOptions, confirm: OFFICE_ENDPOINTS.addPasskey };

/** In groups of four, to read from one screen and type into another. */
function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
