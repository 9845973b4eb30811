import { type Cents, formatUsd } from '@brightpane/money/cents';
import { CancelButton } from '@brightpane/ui/page/dialog/cancel-button.tsx';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { useState } from 'react';
import { AccountForm } from './account-form.tsx';
import { CurrentPassword } from './current-password.tsx';

/** Asks for confirmation, and says what closing deletes and what stays. `owed`: `null` if it could not be looked up. */
export function CloseAccount({ email, owed }: { email: string; owed: Cents | null }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <p>Closing is final and takes effect at once.</p>
      <button type="button" className="btn btn-outline" onClick={() => setIsAsking(true)}>
        Close my account
      </button>
      <Dialog title="Close your account?" isOpen={isAsking} isLong onClose={() => setIsAsking(false)}>
        <p>This cannot be undone.</p>
        <h3>Deleted or ended</h3>
        <ul>
          <li>Your name, email address and password</li>
          <li>Your sessions and the links in our mails</li>
          <li>Your saved cards</li>
          <li>A change of your email address that is under way</li>
          <li>Your access to locations</li>
          <li>Your address in invitations; those you have not accepted are withdrawn</li>
        </ul>
        <h3>Kept, and why</h3>
        <ul>
          <li>Payments, receipts and refunds, each with the email address it was made under: the books</li>
          <li>When you accepted the terms: evidence</li>
          <li>What staff did for your account: the office’s record of its own acts</li>
          <li>What the office keeps about its customers: its file, not your account’s</li>
        </ul>
        {owed === null && <p>What you still owe could not be looked up; closing does not change it.</p>}
        {owed !== null && owed > 0 && (
          <p>
            <strong>{`You still owe ${formatUsd(owed)}; closing does not change that.`}</strong>
          </p>
        )}
        <p>The card processor keeps its own records of past payments.</p>
        {isAsking && (
          <AccountForm
            intent="close-account"
            submit="Close account"
            className="btn btn-danger"
            beside={<CancelButton className="btn btn-outline" />}
          >
            {(errors) => <CurrentPassword email={email} errors={errors.password} />}
          </AccountForm>
        )}
      </Dialog>
    </>
  );
}
