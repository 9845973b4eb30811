import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';
import { AuthLink } from '@brightpane/ui/forms/sending/auth-link.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { readMailLink } from '@brightpane/ui/mail-link/mail-link';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { useFetcher } from 'react-router';
import { AuthCard } from '../../features/auth/auth-card.tsx';
import { INVALID_RESET_LINK } from '../../features/auth/auth-messages.ts';
import { resetPassword } from '../../features/auth/reset-password.ts';
import type { Route } from './+types/reset-password.ts';

export async function clientLoader() {
  return readMailLink();
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  return resetPassword(readMailLink(), formText(await request.formData(), 'password'));
}

export default function ResetPassword({ loaderData: { email, token } }: Route.ComponentProps) {
  const fetcher = useFetcher<typeof clientAction>();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  useGoTo(result);
  const footer = (
    <>
      <AuthLink to={email ? `/forgot-password?${new URLSearchParams({ email })}` : '/forgot-password'}>
        Send a new link
      </AuthLink>
      <AuthLink to="/login">Back to Sign in</AuthLink>
    </>
  );

  if (email === null || token === null) {
    return (
      <AuthCard title="Reset password" outcome={<OutcomeAlert result={INVALID_LINK} />} footer={footer} />
    );
  }
  return (
    <AuthCard
      title="Reset password"
      lead={
        <>
          For <strong>{email}</strong>
        </>
      }
      outcome={<OutcomeAlert result={result} />}
      footer={footer}
    >
      <FetcherForm fetcher={fetcher} className="auth-form">
        <PasswordField
          username={email}
          label="New Password"
          autoComplete="new-password"
          errors={result?.fieldErrors?.password}
        />
        <SubmitButton isPending={fetcher.state !== 'idle'}>Reset password</SubmitButton>
      </FetcherForm>
    </AuthCard>
  );
}

const INVALID_LINK = { success: false, message: INVALID_RESET_LINK };
