import type { Location } from '@brightpane/contract/customers/locations';
import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { formatUsd } from '@brightpane/money/cents';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { isFirstTime } from '@brightpane/ui/outcomes/first-time';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { takeScannedNumbers } from '../../lib/scanned-numbers.ts';
import { userStore } from '../../lib/session/user-store.ts';
import { LogOutButton } from '../auth/log-out-button.tsx';
import { readSearchNumbers } from '../invoice-search/three-numbers.ts';
import { centsOf } from '../invoices/open-amounts.ts';
import { namesAmong } from '../locations/location-name.ts';
import { findScanned, type Scanned } from './find-scanned.ts';
import { readScanned, type ScannedState } from './scanned-state.ts';

/**
 * Handles an invoice code that a signed-in person scanned. It selects the invoice if they can pay it, once for each
 * history entry; otherwise the notice says what it is, and offers to add its location or to pay without the account.
 */
export function ScannedNotice({
  userId,
  invoices,
  locations,
  isSelected,
  onDue,
}: {
  userId: string;
  invoices: readonly Invoice[];
  locations: readonly Location[];
  isSelected: (invoice: Invoice) => boolean;
  onDue: (invoice: Invoice) => void;
}) {
  const { key } = useLocation();
  const search = useScannedSearch(userId);
  const [shown, setShown] = useState<{ search: string; scanned: Scanned } | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each code, with the lists as they came.
  useEffect(() => {
    if (search === null) return;
    let isOver = false;
    void findScanned(readSearchNumbers(new URLSearchParams(search)), { invoices, locations }).then(
      (scanned) => {
        if (isOver) return;
        setShown({ search, scanned });
        // Kept beside the draft that it changes: whoever comes back finds the invoice as they left it.
        if (scanned.kind === 'due' && isFirstTime(SELECTED, key, userStore(userId))) onDue(scanned.invoice);
      },
    );
    return () => {
      isOver = true;
    };
  }, [search, key]);

  if (shown === null || shown.search !== search) return null;
  return (
    <Notice scanned={shown.scanned} search={shown.search} locations={locations} isSelected={isSelected} />
  );
}

const SELECTED = 'scanned.selected';

function Notice({
  scanned,
  search,
  locations,
  isSelected,
}: {
  scanned: Scanned;
  search: string;
  locations: readonly Location[];
  isSelected: (invoice: Invoice) => boolean;
}) {
  if (scanned.kind === 'not-found') return <Alert tone="danger">{scanned.message}</Alert>;
  const { workOrderNumber, addressLine1, balanceDue } = scanned.invoice;
  if (scanned.kind === 'due') {
    const what = isSelected(scanned.invoice)
      ? 'is selected, ready to be paid below.'
      : 'is due. Select it below to pay it.';
    return <Alert tone="success">{`Work order ${workOrderNumber} ${what}`}</Alert>;
  }
  if (scanned.kind === 'paid') {
    const { location } = scanned;
    return (
      <Alert tone="success">
        Work order {workOrderNumber} is already paid.
        {location && (
          <>
            {' '}
            Its payment is listed at{' '}
            <Link to={`/locations/${location.locationId}`}>{namesAmong(locations)(location)}</Link>.
          </>
        )}
      </Alert>
    );
  }
  if (scanned.kind === 'quick-pay') {
    return (
      <Alert tone="warning">
        <p className="scanned-text">
          Work order {workOrderNumber} is for <span data-sentry-block>{addressLine1}</span>, and{' '}
          {formatUsd(centsOf(balanceDue))} is due. An account does not list invoices of earlier customers at
          an address. Log out to pay this one under Quick Pay.
        </p>
        <LogOutButton className="btn btn-primary" to={`/guest-payment${search}`}>
          Log out and open Quick Pay
        </LogOutButton>
      </Alert>
    );
  }
  return (
    <Alert tone="warning">
      <p className="scanned-text">
        Work order {workOrderNumber} is for <span data-sentry-block>{addressLine1}</span>, which is not among
        your locations. {balanceDue > 0 ? 'Add it to pay this invoice here.' : 'The invoice is already paid.'}
      </p>
      <Link className="btn btn-primary" to={`/locations/add${search}`}>
        Add this location
      </Link>
    </Alert>
  );
}

/** The code's query: taken over from the previous page, and then kept with this history entry. */
function useScannedSearch(userId: string): string | null {
  const { state, pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const numbers = takeScannedNumbers();
    if (numbers === null) return;
    const scanned: ScannedState = { scanned: { userId, search: numbers } };
    void navigate(pathname + search, { replace: true, state: { ...(state as object | null), ...scanned } });
  }, [navigate, pathname, search, state, userId]);
  return readScanned(state, userId);
}
