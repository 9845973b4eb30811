import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { AuthLink } from '@brightpane/ui/forms/sending/auth-link.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { readMailLink } from '@brightpane/ui/mail-link/mail-link';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { useState } from 'react';
import { useFetcher } from 'react-router';
import { AuthCard } from '../../features/auth/auth-card.tsx';
import { INVALID_CONFIRMATION_LINK } from '../../features/auth/auth-messages.ts';
import { confirmEmail } from '../../features/auth/confirm-email.ts';
import { resendConfirmation } from '../../features/auth/resend-confirmation.ts';
import type { Route } from './+types/confirm-email.ts';

export async function clientLoader() {
  return readMailLink();
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  const form = await request.formData();
  const intent = formText(form, 'intent');
  switch (intent) {
    case 'confirm':
      return confirmEmail(readMailLink());
    case 'resend-confirmation':
      return resendConfirmation(formText(form, 'email'));
    default:
      throw new Error(`Unknown form action: ${intent}`);
  }
}

/** Loading the page posts nothing: mail scanners load pages and run their scripts, but only people press buttons. */
export default function ConfirmEmail({ loaderData: { email, token } }: Route.ComponentProps) {
  const fetcher = useFetcher<typeof clientAction>();
  const pending = fetcher.state === 'idle' ? undefined : fetcher.formData?.get('intent');
  const isComplete = email !== null && token !== null;
  const result = fetcher.data ?? (isComplete ? undefined : INVALID_LINK);
  // A newer mail ends the link of this one, whether or not yet another can be sent.
  const [isRetired, setIsRetired] = useState(false);
  if (!isRetired && fetcher.data?.success && fetcher.data.showResendConfirmEmail) setIsRetired(true);
  useGoTo(fetcher.data);
  return (
    <AuthCard
      title="Confirm Email"
      lead={
        isComplete && (
          <>
            For <strong>{email}</strong>
          </>
        )
      }
      outcome={fetcher.state === 'idle' && <OutcomeAlert result={result} />}
      footer={<AuthLink to="/login">Back to Sign in</AuthLink>}
    >
      {isComplete && !isRetired && (
        <FetcherForm fetcher={fetcher} className="auth-form">
          <input type="hidden" name="intent" value="confirm" />
          <SubmitButton isPending={pending === 'confirm'}>Confirm my email</SubmitButton>
        </FetcherForm>
      )}
      {email !== null && !result?.goTo && (
        <FetcherForm fetcher={fetcher} className="auth-form">
          {result && (
            <p className="quiet">
              Another verification email can be sent to <strong>{email}</strong>.
            </p>
          )}
          <input type="hidden" name="intent" value="resend-confirmation" />
          <input type="hidden" name="email" value={email} />
          <SubmitButton
            className={isComplete ? 'btn btn-outline' : 'btn btn-primary'}
            isPending={pending === 'resend-confirmation'}
          >
            Resend Verification Email
          </SubmitButton>
        </FetcherForm>
      )}
    </AuthCard>
  );
}

const INVALID_LINK: ActionResult = { success: false, message: INVALID_CONFIRMATION_LINK };
