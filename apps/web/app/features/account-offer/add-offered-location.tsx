import type { Offer } from '@brightpane/contract/customers/offers';
import type { User } from '@brightpane/contract/customers/users';
import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { Link, useFetcher } from 'react-router';
import { type OfferResult, placeOf } from './offer-messages.ts';
import { OfferOver } from './offer-over.tsx';
import { useFocusInPlace } from './use-offered.ts';
import './account-offer.scss';

export const ADD_LOCATION = 'Add this location to your account';

/** For signed-in people. It shows the address and waits for their press; nothing is added by itself. `null` if the
 * offer is over. */
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

  if (offer === null || result?.isOver) {
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
          <input type="hidden" name="place" value={placeOf(offer)} />
          <p ref={sentence} tabIndex={-1}>
            {[offer.addressLine1, offer.city].filter((part) => part.trim() !== '').join(', ')}
            <br />
            Work order {offer.workOrderNumber} of {offer.franchiseName}
          </p>
          <SubmitButton isPending={fetcher.state !== 'idle'}>
            Add {placeOf(offer)} to {user.email}
          </SubmitButton>
        </FetcherForm>
      </div>
    </Card>
  );
}
