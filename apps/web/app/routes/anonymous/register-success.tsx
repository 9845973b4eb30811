import { Link } from 'react-router';
import { AuthCard } from '../../features/auth/auth-card.tsx';
import { CHECK_YOUR_INBOX } from '../../features/auth/auth-messages.ts';
import { readMadeAccount } from '../../lib/session/made-account.ts';

export default function RegisterSuccess() {
  const registeredEmail = readMadeAccount();
  return (
    <AuthCard
      title="Check your inbox"
      outcome={
        <p className="notice notice-success" role="status">
          {CHECK_YOUR_INBOX}
        </p>
      }
    >
      <p className="quiet">
        {registeredEmail && (
          <>
            It goes to <strong>{registeredEmail}</strong>.{' '}
          </>
        )}
        Its link confirms your address and is good for a day. If nothing arrives, look in the spam folder, or
        sign in to have it sent again.
      </p>
      <Link className="btn btn-primary" to="/login">
        Sign in
      </Link>
    </AuthCard>
  );
}
