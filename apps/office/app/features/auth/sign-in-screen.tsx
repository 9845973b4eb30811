import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';
import { AuthLink } from '@brightpane/ui/forms/sending/auth-link.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { nextPath } from '../../lib/next-path.ts';
import { ActForm } from '../../ui/act/act-form.tsx';
import { AuthColumn } from './auth-column.tsx';
import { resultOf } from './auth-result.ts';
import { PasskeyButton } from './factors/passkey-button.tsx';
import { hasPasskeys, isPasskeyHost, signInByPasskey } from './factors/passkeys.ts';
import { type Method, SecondFactor } from './factors/second-factor.tsx';
import { showPassword } from './show-password.ts';

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
      <PasskeyButton className="btn btn-primary" act={async () => resultOf(await signInByPasskey(), open)}>
        Sign in with a passkey
      </PasskeyButton>
      {hasTwoWays && <p className="auth-or">or</p>}
      <ActForm
        className="auth-form"
        act={(form) => {
          const body = { email: formText(form, 'email').trim(), password: formText(form, 'password') };
          return showPassword(body, setMethods);
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
