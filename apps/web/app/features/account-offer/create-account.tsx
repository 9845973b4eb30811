import type { Offer } from '@brightpane/contract/customers/offers';
import { EmailField } from '@brightpane/ui/forms/email-field.tsx';
import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { Link, useFetcher } from 'react-router';
import type { GuestOffer } from '../../lib/session/paid-state.ts';
import { rememberReturnPath } from '../../lib/session/return-path.ts';
import { NameFields } from '../auth/name-fields.tsx';
import { ADD_LOCATION } from './add-offered-location.tsx';
import { type OfferResult, placeOf } from './offer-messages.ts';
import { OfferOver } from './offer-over.tsx';
import { useFocusInPlace } from './use-offered.ts';
import './account-offer.scss';

export const CREATE_ACCOUNT = 'Create your account';

/**
 * Takes name and email from the billing form, so that only a password is missing. `null` if the offer is over. Whoever
 * has made an account already is led to sign in: a second one would start over, and drop a location that waits.
 */
export function CreateAccount({
  offer,
  isAskedAgain,
  isAccountMade,
  payer,
}: {
  offer: Offer | null;
  isAskedAgain: boolean;
  isAccountMade: boolean;
  payer: GuestOffer['payer'];
}) {
  const fetcher = useFetcher<OfferResult>();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  const errors = result?.fieldErrors ?? {};
  const sentence = useFocusInPlace(isAskedAgain);
  if (offer === null || result?.isOver) {
    return (
      <OfferOver title={CREATE_ACCOUNT}>
        <Link className="btn btn-primary" to="/register">
          Sign Up
        </Link>
      </OfferOver>
    );
  }
  const place = placeOf(offer);
  if (isAccountMade) {
    return (
      <Card title={ADD_LOCATION} className="account-offer no-print">
        <p ref={sentence} tabIndex={-1} data-sentry-block>
          Your account is made. Confirm its address by the link in your inbox, then sign in to add{' '}
          <strong>{place}</strong>.
        </p>
        <SignInToAdd />
      </Card>
    );
  }

  return (
    <Card title={CREATE_ACCOUNT} className="account-offer no-print">
      <OutcomeAlert result={result} />
      {result?.success !== true && (
        <div className="account-offer" data-sentry-block>
          <p ref={sentence} tabIndex={-1}>
            A free account shows the invoices of <strong>{place}</strong> and pays them with a saved card.
          </p>
          <FetcherForm fetcher={fetcher} className="auth-form">
            <input type="hidden" name="intent" value="create-account" />
            <input type="hidden" name="place" value={place} />
            <NameFields errors={errors} defaults={payer} />
            <EmailField defaultValue={payer.email} errors={errors.email} />
            <PasswordField label="New password" autoComplete="new-password" errors={errors.password} />
            <SubmitButton isPending={fetcher.state !== 'idle'}>Create account</SubmitButton>
          </FetcherForm>
          <p className="account-offer-footer">
            Have an account already?
            <SignInToAdd />
          </p>
        </div>
      )}
    </Card>
  );
}

/** Leads back here after signing in. */
function SignInToAdd() {
  return (
    <Link className="auth-link" to="/login" onClick={() => rememberReturnPath(window.location.pathname)}>
      Sign in to add it
    </Link>
  );
}
