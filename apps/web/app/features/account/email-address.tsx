import type { Account } from '@brightpane/contract/customers/account';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { formatWireDate } from '@brightpane/ui/words/wire-date';
import { SentForm } from './account-form.tsx';
import { CurrentPassword } from './current-password.tsx';
import { useAccountSender } from './use-account-sender.ts';

/** The account's email address, and the form to change it: once in seven days. */
export function EmailAddress({ account }: { account: Account }) {
  const { email, pendingEmail, previousEmail, undoUntil } = account;
  const sender = useAccountSender();
  return (
    <>
      <OutcomeAlert result={sender.result} />
      <p className="account-email">{email}</p>
      {pendingEmail !== null && (
        <>
          <p>
            Waiting for <strong>{pendingEmail}</strong> to be confirmed.
          </p>
          <SentForm
            sender={sender}
            intent="cancel-email"
            submit="Cancel change"
            className="btn btn-outline"
          />
        </>
      )}
      {undoUntil === null ? (
        <SentForm sender={sender} intent="change-email" submit="Send link">
          {(errors) => (
            <>
              <FormField
                label="New email"
                name="email"
                type="text"
                inputMode="email"
                autoComplete="email"
                autoCapitalize="none"
                autoCorrect="off"
                spellCheck={false}
                errors={errors.email}
              />
              <CurrentPassword email={email} errors={errors.password} />
            </>
          )}
        </SentForm>
      ) : (
        <p>
          {previousEmail} can undo this until {dayOf(undoUntil)}. You can change your address again after
          that.
        </p>
      )}
    </>
  );
}

/** "Nov 30" */
const dayOf = (instant: string) => formatWireDate(instant).replace(/, \d+$/, '');
