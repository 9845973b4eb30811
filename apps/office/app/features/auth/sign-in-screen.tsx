import type { Me, SignInStarted } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';
import { AuthLink } from '@brightpane/ui/forms/sending/auth-link.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { callOffice } from '../../lib/api-client.ts';
import { nextPath } from '../../lib/next-path.ts';
import { ActForm, done } from '../../ui/act/act-form.tsx';
import { AuthColumn } from './auth-column.tsx';
import { resultOf } from './auth-result.ts';
import { PasskeyButton } from './factors/passkey-button.tsx';
import { hasPasskeys, isPasskeyHost, provePasskey } from './factors/passkeys.ts';
import { type Method, SecondFactor } from './factors/second-factor.tsx';

const ENROL = 'You have no second factor yet. We sent you a link: open it to add one.';

/** `/office/sign-in`: a passkey alone, or the password and then a second factor. */
export function SignInScreen() {
  const [methods, setMethods] = useState<Method[] | null>(null);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const hasTwoWays = isPasskeyHost() && hasPasskeys();
  const open = () => navigate(nextPath(search.get('next')), { replace: true });

  if (methods !== null) {
    return <SecondFactor methods={methods} onSignedIn={open} onExpired={() => setMethods(null)} />;
  }
  return (
    <AuthColumn
      title="Sign in to the office"
      footer={
        <>
          Not from the office?
          <AuthLink to="/" isOutside>
            Pay an invoice
          </AuthLink>
        </>
      }
    >
      <PasskeyButton
        className="btn btn-primary"
        act={async () => resultOf(await provePasskey<Me>(PASSKEY, {}, { isAnonymous: true }), open)}
      >
        Sign in with a passkey
      </PasskeyButton>
      {hasTwoWays && <p className="auth-or">or</p>}
      <ActForm
        className="auth-form"
        act={async (form) => {
          const body = { email: formText(form, 'email').trim(), password: formText(form, 'password') };
          const answer = await callOffice<SignInStarted>(OFFICE_ENDPOINTS.signIn, {
            body,
            isAnonymous: true,
          });
          if (answer.ok && answer.data.next === 'enrol') return done(ENROL);
          return resultOf(answer, (signedIn) => setMethods(signedIn.methods));
        }}
      >
        {({ isPending, errors }) => (
          <>
            <EmailField errors={errors.email} />
            <PasswordField autoComplete="current-password" errors={errors.password} />
            <AuthLink className="auth-link auth-beside" to="/reset">
              Forgot password
            </AuthLink>
            <SubmitButton
              className={`btn ${hasTwoWays ? 'btn-outline' : 'btn-primary'}`}
              isPending={isPending}
            >
              Sign in
            </SubmitButton>
          </>
        )}
      </ActForm>
    </AuthColumn>
  );
}

const PASSKEY = { options: OFFICE_ENDPOINTS.passkeyOptions, confirm: OFFICE_ENDPOINTS.showPasskey };
