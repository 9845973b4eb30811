import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';
import { AuthLink } from '@brightpane/ui/forms/sending/auth-link.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { MailLink } from '@brightpane/ui/mail-link/mail-link';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import type { ReactNode } from 'react';
import { useFetcher } from 'react-router';
import { AuthCard } from '../auth/auth-card.tsx';
import { INVALID_LINK, type LinkResult } from './use-mail-link.ts';

/** Opening the link uses nothing up: mail scanners open pages, and only people press buttons. */
function MailScreen({
  title,
  lead,
  link,
  invalid,
  submit,
  children,
}: {
  title: string;
  lead: string;
  link: MailLink;
  /** What a link says that lacks a part. */
  invalid: LinkResult;
  submit: string;
  children?: (result: ActionResult | undefined) => ReactNode;
}) {
  const fetcher = useFetcher<LinkResult>();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  useGoTo(result);
  const isComplete = link.email !== null && link.token !== null;
  return (
    <AuthCard
      title={title}
      lead={
        isComplete && (
          <>
            {lead} <strong>{link.email}</strong>
          </>
        )
      }
      outcome={<OutcomeAlert result={isComplete ? result : invalid} />}
      footer={<AuthLink to="/">Go to the start page</AuthLink>}
    >
      {isComplete && result?.success !== true && result?.isOver !== true && (
        <FetcherForm fetcher={fetcher} className="auth-form">
          {children?.(result)}
          <SubmitButton isPending={fetcher.state !== 'idle'}>{submit}</SubmitButton>
        </FetcherForm>
      )}
    </AuthCard>
  );
}

export function ConfirmNewEmailScreen({ link }: { link: MailLink }) {
  return (
    <MailScreen
      title="Confirm your new email"
      lead="For"
      link={link}
      invalid={INVALID_LINK.confirmEmailChange}
      submit="Confirm my new email"
    />
  );
}

export function UndoEmailChangeScreen({ link }: { link: MailLink }) {
  return (
    <MailScreen
      title="Undo the change of your email"
      lead="Your account’s address will be"
      link={link}
      invalid={INVALID_LINK.undoEmailChange}
      submit="Undo and sign out everywhere"
    >
      {(result) => (
        <>
          <p>Whoever asked for the change knew your password, so choose a new one.</p>
          <PasswordField
            username={link.email ?? ''}
            label="New password"
            autoComplete="new-password"
            errors={result?.fieldErrors?.password}
          />
        </>
      )}
    </MailScreen>
  );
}
