import { holdsCardNumber } from '@brightpane/contract/card-number';
import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';
import { AuthLink } from '@brightpane/ui/forms/sending/auth-link.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { useIsHydrated } from '@brightpane/ui/page/use-is-hydrated';
import { useEffect, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import { forgetPagesPerson } from '../../lib/session/pages-person.ts';
import { isLoggedIn } from '../../lib/session/session.ts';
import { hasSessionEnded } from '../../lib/session/session-end.ts';
import { AuthCard } from './auth-card.tsx';
import { SESSION_ENDED } from './auth-messages.ts';
import type { SignInResult } from './sign-in.ts';

/** `/login`. A failure keeps what was typed. */
export function SignInScreen() {
  const fetcher = useFetcher<SignInResult>();
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  // People may have typed before the page was hydrated.
  useEffect(() => {
    if (form.current) setEmail(formText(new FormData(form.current), 'email'));
  }, []);
  // Whoever's session has ended is led here, and no screen of theirs is left. They may go on to pay as a guest.
  useEffect(() => {
    if (!isLoggedIn()) forgetPagesPerson();
  }, []);
  const isHydrated = useIsHydrated();
  const pending = fetcher.formData?.get('intent');
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;

  return (
    <AuthCard
      title="Sign in"
      outcome={
        fetcher.data === undefined && isHydrated && hasSessionEnded() ? (
          <Alert tone="warning">{SESSION_ENDED}</Alert>
        ) : (
          <OutcomeAlert result={result} />
        )
      }
      footer={
        <>
          No account yet?
          <AuthLink to="/register">Register</AuthLink>
        </>
      }
    >
      {fetcher.data?.showResendConfirmEmail && (
        <FetcherForm fetcher={fetcher}>
          <input type="hidden" name="email" value={fetcher.data.email} />
          <input type="hidden" name="intent" value="resend-confirmation" />
          <SubmitButton className="btn btn-outline" isPending={pending === 'resend-confirmation'}>
            Resend Verification Email
          </SubmitButton>
        </FetcherForm>
      )}
      <FetcherForm ref={form} fetcher={fetcher} className="auth-form">
        <input type="hidden" name="intent" value="sign-in" />
        <EmailField onChange={(event) => setEmail(event.target.value)} errors={result?.fieldErrors?.email} />
        <PasswordField autoComplete="current-password" errors={result?.fieldErrors?.password} />
        <AuthLink className="auth-link auth-beside" to={forgotPasswordPath(email)}>
          Forgot password
        </AuthLink>
        <SubmitButton isPending={pending === 'sign-in'} disabled={!isHydrated}>
          Sign in
        </SubmitButton>
      </FetcherForm>
    </AuthCard>
  );
}

function forgotPasswordPath(email: string): string {
  const typed = email.trim();
  return typed === '' || holdsCardNumber(typed)
    ? '/forgot-password'
    : `/forgot-password?${new URLSearchParams({ email: typed })}`;
}
