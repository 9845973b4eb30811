import type { Account, SessionShown } from '@brightpane/contract/customers/account';
import type { Cents } from '@brightpane/money/cents';
import './account.scss';
import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { NameFields } from '../auth/name-fields.tsx';
import { AccountForm } from './account-form.tsx';
import { CloseAccount } from './close-account.tsx';
import { CurrentPassword } from './current-password.tsx';
import { EmailAddress } from './email-address.tsx';
import { SessionList } from './session-list.tsx';

export function AccountScreen({
  account,
  sessions,
  owed,
  isStale,
}: {
  account: Account;
  sessions: SessionShown[];
  /** What is still due; null if it failed to load. */
  owed: Cents | null;
  /** Whether it failed to load again, so that this may be what was true before. */
  isStale: boolean;
}) {
  return (
    <div className="account-screen">
      <PageTitle title="Account" />
      {isStale && (
        <p className="notice notice-warning" role="status">
          This page could not be loaded again, so it may be out of date. Reload it to see how things are now.
        </p>
      )}
      <Card title="Your details">
        <AccountForm intent="save-details" submit="Save details">
          {(errors) => <NameFields errors={errors} defaults={account} />}
        </AccountForm>
      </Card>
      <Card title="Email address">
        <EmailAddress account={account} />
      </Card>
      <Card title="Password">
        <p>Forgotten your current password? Log out, then choose Forgot password where you sign in.</p>
        <AccountForm intent="change-password" submit="Change password">
          {(errors) => (
            <>
              <CurrentPassword email={account.email} errors={errors.password} />
              <PasswordField
                label="New password"
                name="newPassword"
                autoComplete="new-password"
                errors={errors.newPassword}
              />
            </>
          )}
        </AccountForm>
      </Card>
      <Card title="Where you are signed in">
        <SessionList sessions={sessions} />
      </Card>
      <Card title="Your data">
        <p>One file with what we know of your account: your details, payments, cards, sessions and mails.</p>
        <AccountForm intent="download-data" submit="Download my data">
          {(errors) => <CurrentPassword email={account.email} errors={errors.password} />}
        </AccountForm>
      </Card>
      <Card title="Close account">
        <CloseAccount email={account.email} owed={owed} />
      </Card>
    </div>
  );
}
