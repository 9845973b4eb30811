import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { AuthLink } from '@brightpane/ui/forms/sending/auth-link.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { linkRefusal } from '@brightpane/ui/mail-link/link-refusal';
import type { MailLink } from '@brightpane/ui/mail-link/mail-link';
import { useNavigate } from 'react-router';
import { callOffice } from '../../lib/api-client.ts';
import { refusedResult } from '../../lib/refusal.ts';
import { ActForm, DONE, done } from '../../ui/act/act-form.tsx';
import { EmailText } from '../../ui/facts/email-text.tsx';
import { AuthColumn } from './auth-column.tsx';
import { NewPasswordField } from './new-password-field.tsx';

const SENT = 'If this address belongs to staff, a link is on its way.';
const PASSWORD_SET = 'Your password was set. Please sign in.';

/** `/office/reset`: requests a link, or uses one to set a new password. */
export function ResetScreen({ link: { email, token } }: { link: MailLink }) {
  const navigate = useNavigate();
  const isLink = email !== null && token !== null;
  return (
    <AuthColumn
      title="Reset your password"
      lead={
        isLink && (
          <>
            For{' '}
            <strong>
              <EmailText email={email} />
            </strong>
          </>
        )
      }
      footer={<AuthLink to="/sign-in">Sign in</AuthLink>}
    >
      {isLink ? (
        <ActForm
          key="set"
          className="auth-form"
          act={async (form) => {
            const body = { email, token, password: formText(form, 'password') };
            const answer = await callOffice(OFFICE_ENDPOINTS.confirmReset, { body, isAnonymous: true });
            if (!answer.ok) {
              const refused = refusedResult(answer.problem);
              return { ...refused, message: linkRefusal(refused.message, answer.problem) };
            }
            await navigate('/sign-in', { replace: true, state: { flash: PASSWORD_SET } });
            return DONE;
          }}
        >
          {({ isPending, errors }) => (
            <>
              <NewPasswordField email={email} errors={errors.password} />
              <SubmitButton isPending={isPending}>Set password</SubmitButton>
            </>
          )}
        </ActForm>
      ) : (
        <ActForm
          key="send"
          className="auth-form"
          act={async (form) => {
            const body = { email: formText(form, 'email').trim() };
            const answer = await callOffice(OFFICE_ENDPOINTS.requestReset, { body, isAnonymous: true });
            return answer.ok ? done(SENT) : refusedResult(answer.problem);
          }}
        >
          {({ isPending, errors }) => (
            <>
              <EmailField errors={errors.email} />
              <SubmitButton isPending={isPending}>Send link</SubmitButton>
            </>
          )}
        </ActForm>
      )}
    </AuthColumn>
  );
}
