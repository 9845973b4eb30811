import { Card } from '@brightpane/ui/page/card.tsx';
import { Link } from 'react-router';
import { readMadeAccount } from '../../lib/session/made-account.ts';

/** Beside an invoice. Whoever has just made an account isn't asked to sign up: that would start over. */
export function SignUpPromo() {
  const hasMadeAccount = readMadeAccount() !== null;
  return (
    <Card
      title={hasMadeAccount ? 'Your account is made' : 'Skip the numbers next time'}
      className="promo no-print"
    >
      {hasMadeAccount ? (
        <>
          <p>Confirm its address by the link in your inbox, then log in to see all your unpaid invoices.</p>
          <Link className="btn btn-outline" to="/login">
            Log In
          </Link>
        </>
      ) : (
        <>
          <p>With a free account you see all your unpaid invoices and pay them together with a saved card.</p>
          <Link className="btn btn-outline" to="/register">
            Sign Up
          </Link>
        </>
      )}
    </Card>
  );
}
