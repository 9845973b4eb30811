import type { Offer } from '@brightpane/contract/customers/offers';
import type { User } from '@brightpane/contract/customers/users';
import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { useState } from 'react';
import { Link, useFetcher } from 'react-router';
import { type OfferResult, placeOf } from './offer-messages.ts';
import { OfferOver } from './offer-over.tsx';
import { useFocusInPlace } from './use-offered.ts';
import './account-offer.scss';

export const ADD_LOCATION = 'Add this location to your account';

/**
 * For signed-in people. It shows the address and waits for their press; nothing is added by itself. `offer` is `null` if
 * it is over.
 */
export function AddOfferedLocation({
  offer,
  isAskedAgain,
  user,
}: {
  offer: Offer | null;
  isAskedAgain: boolean;
  user: User;
}) {
  const fetcher = useFetcher<OfferResult>();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  useGoTo(result);
  const sentence = useFocusInPlace(isAskedAgain);
  // As it came: the tab forgets an offer as soon as it is used, and this stays until the invoices are there.
  const [shown] = useState(offer);

  if (shown === null || result?.isOver) {
    return (
      <OfferOver title={ADD_LOCATION}>
        <Link className="auth-link" to="/locations/add">
          Add a location
        </Link>
      </OfferOver>
    );
  }

  return (
    <Card title={ADD_LOCATION} className="account-offer no-print">
      <OutcomeAlert result={result} />
      <div data-sentry-block>
        <FetcherForm fetcher={fetcher} className="auth-form">
          <input type="hidden" name="intent" value="add-location" />
          <input type="hidden" name="place" value={placeOf(shown)} />
          <p ref={sentence} tabIndex={-1}>
            {[shown.addressLine1, shown.city].filter((part) => part.trim() !== '').join(', ')}
            <br />
            Work order {shown.workOrderNumber} of {shown.franchiseName}
          </p>
          <SubmitButton isPending={fetcher.state !== 'idle' || result?.success === true}>
            Add {placeOf(shown)} to {user.email}
          </SubmitButton>
        </FetcherForm>
      </div>
    </Card>
  );
}
