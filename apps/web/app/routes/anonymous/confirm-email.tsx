import { Link, useFetcher } from 'react-router';
import { AuthCard } from '../../features/auth/auth-card.tsx';
import { confirmEmail } from '../../features/auth/confirm-email.ts';
import { resendConfirmation } from '../../features/auth/resend-confirmation.ts';
import type { ActionResult } from '../../lib/action-result.ts';
import { formText } from '../../lib/form-text.ts';
import { readMailLink } from '../../lib/mail-link.ts';
import { useGoTo } from '../../lib/use-go-to.ts';
import { OutcomeAlert } from '../../ui/outcome-alert.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import type { Route } from './+types/confirm-email.ts';

/** Opening the page is the confirmation; the link is spent by this call and not by the link itself. */
export async function clientLoader() {
  const link = readMailLink();
  return { email: link.email, confirmed: await confirmEmail(link) };
}

/** Once for each time the page is opened. */
export function shouldRevalidate(): boolean {
  return false;
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  return resendConfirmation(formText(await request.formData(), 'email'));
}

export default function ConfirmEmail({ loaderData: { email, confirmed } }: Route.ComponentProps) {
  const fetcher = useFetcher<typeof clientAction>();
  const isResending = fetcher.state !== 'idle';
  useGoTo(confirmed);
  return (
    <AuthCard
      title="Confirm Email"
      outcome={!isResending && <OutcomeAlert result={fetcher.data ?? confirmed} />}
      footer={
        <Link className="auth-link" to="/login">
          Back to Sign in
        </Link>
      }
    >
      {email !== null && !confirmed.success && (
        <fetcher.Form method="post" className="auth-form">
          <p className="quiet">
            Another verification email can be sent to <strong>{email}</strong>.
          </p>
          <input type="hidden" name="email" value={email} />
          <SubmitButton isPending={isResending}>Resend Verification Email</SubmitButton>
        </fetcher.Form>
      )}
    </AuthCard>
  );
}
