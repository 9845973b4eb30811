import type { Offer } from '@brightpane/contract/customers/offers';
import type { User } from '@brightpane/contract/customers/users';
import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { Link, useFetcher } from 'react-router';
import { OFFER_IS_OVER, placeOf } from './offer-messages.ts';
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
  const fetcher = useFetcher<ActionResult>();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  useGoTo(result);
  const sentence = useFocusInPlace(isAskedAgain);

  return (
    <Card title={ADD_LOCATION} className="account-offer no-print">
      <OutcomeAlert result={offer ? result : OVER} />
      {offer ? (
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
      ) : (
        <Link className="auth-link" to="/locations/add">
          Add a location
        </Link>
      )}
    </Card>
  );
}

const OVER: ActionResult = { success: false, message: OFFER_IS_OVER };
