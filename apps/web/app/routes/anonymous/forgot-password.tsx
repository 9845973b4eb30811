import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { AuthLink } from '@brightpane/ui/forms/sending/auth-link.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { useEffect, useState } from 'react';
import { useFetcher, useNavigate, useSearchParams } from 'react-router';
import { AuthCard } from '../../features/auth/auth-card.tsx';
import { requestPasswordReset } from '../../features/auth/request-password-reset.ts';
import type { Route } from './+types/forgot-password.ts';

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  return requestPasswordReset(formText(await request.formData(), 'email').trim());
}

export default function ForgotPassword() {
  const [query] = useSearchParams();
  const [email] = useState(query.get('email') ?? '');
  const navigate = useNavigate();
  // The field has it now. In the address it would stay in the browser's history, and a reload would send it to the server.
  const isInAddress = query.has('email');
  useEffect(() => {
    if (isInAddress) void navigate('/forgot-password', { replace: true });
  }, [isInAddress, navigate]);
  const fetcher = useFetcher<typeof clientAction>();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  return (
    <AuthCard
      title="Forgot password"
      lead="We send you a link that sets a new password."
      outcome={<OutcomeAlert result={result} />}
      footer={<AuthLink to="/login">Back to Sign in</AuthLink>}
    >
      <FetcherForm fetcher={fetcher} className="auth-form">
        <EmailField defaultValue={email} errors={result?.fieldErrors?.email} />
        <SubmitButton isPending={fetcher.state !== 'idle'}>Send email</SubmitButton>
      </FetcherForm>
    </AuthCard>
  );
}
