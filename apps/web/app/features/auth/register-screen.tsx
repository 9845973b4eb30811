import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';
import { AuthLink } from '@brightpane/ui/forms/sending/auth-link.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { useIsHydrated } from '@brightpane/ui/page/use-is-hydrated';
import { useFetcher } from 'react-router';
import { readMadeAccount } from '../../lib/session/made-account.ts';
import { AuthCard } from './auth-card.tsx';
import { NameFields } from './name-fields.tsx';

/** `/register`. A failure keeps what was typed. */
export function RegisterScreen() {
  const fetcher = useFetcher<ActionResult>();
  const isHydrated = useIsHydrated();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  const errors = result?.fieldErrors ?? {};
  useGoTo(result);
  // The page was prerendered for everybody.
  const hasMadeAccount = isHydrated && readMadeAccount() !== null;

  return (
    <AuthCard
      title="Sign up"
      lead="An account shows all your unpaid invoices and pays them together with a saved card."
      outcome={
        fetcher.data || !hasMadeAccount ? (
          <OutcomeAlert result={result} />
        ) : (
          <p className="notice notice-warning" role="status">
            You have just made an account. Confirm its address by the link in your inbox, then sign in.
            Signing up once more starts over.
          </p>
        )
      }
      footer={
        <>
          Have an account already?
          <AuthLink to="/login">Sign in</AuthLink>
        </>
      }
    >
      <FetcherForm fetcher={fetcher} className="auth-form">
        <EmailField errors={errors.email} />
        <NameFields errors={errors} />
        <PasswordField autoComplete="new-password" errors={errors.password} />
        <SubmitButton isPending={fetcher.state !== 'idle'} disabled={!isHydrated}>
          Sign up
        </SubmitButton>
      </FetcherForm>
    </AuthCard>
  );
}
