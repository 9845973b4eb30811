import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
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
import { NameFields } from '../../features/auth/name-fields.tsx';
import { acceptInvite } from '../../features/invitations/accept-invite.ts';
import { INVALID_INVITATION_LINK } from '../../features/invitations/invitation-messages.ts';
import type { Route } from './+types/accept-invite.ts';

export async function clientLoader() {
  return readMailLink();
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  const form = await request.formData();
  return acceptInvite(readMailLink(), {
    firstName: formText(form, 'firstName').trim(),
    lastName: formText(form, 'lastName').trim(),
    password: formText(form, 'password'),
  });
}

export default function AcceptInvite({ loaderData: { email, token } }: Route.ComponentProps) {
  const fetcher = useFetcher<typeof clientAction>();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  const errors = result?.fieldErrors ?? {};
  useGoTo(result);
  const footer = (
    <>
      Have an account already?
      <AuthLink to="/login">Sign in</AuthLink>
    </>
  );

  if (email === null || token === null) {
    return (
      <AuthCard title="Accept Invite" outcome={<OutcomeAlert result={INVALID_LINK} />} footer={footer} />
    );
  }
  return (
    <AuthCard
      title="Accept Invite"
      lead="Choose a password, and all your invoices are in one place."
      outcome={<OutcomeAlert result={result} />}
      footer={footer}
    >
      <FetcherForm fetcher={fetcher} className="auth-form">
        <EmailField value={email} disabled errors={errors.email} />
        <NameFields errors={errors} />
        <PasswordField username={email} autoComplete="new-password" errors={errors.password} />
        <SubmitButton isPending={fetcher.state !== 'idle'}>Accept Invite</SubmitButton>
      </FetcherForm>
    </AuthCard>
  );
}

const INVALID_LINK = { success: false, message: INVALID_INVITATION_LINK };
