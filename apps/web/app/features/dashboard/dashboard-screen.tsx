import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { EmptyState } from '@brightpane/ui/outcomes/empty-state.tsx';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { useCallback, useEffect, useMemo } from 'react';
import { type FetcherWithComponents, Link, useFetcher, useLocation } from 'react-router';
import { type Loaded, useLastGoodLoad } from '../../lib/last-good-load.ts';
import { useAsk } from '../../lib/use-ask.ts';
import { useUser } from '../auth/use-user.ts';
import { InvitationBanner } from '../invitations/invitation-banner.tsx';
import { type RenewLinks, RenewLinksContext } from '../invoices/fresh-links.ts';
import { OutstandingBalance } from '../invoices/outstanding-balance.tsx';
import { PaidInvoices } from '../invoices/paid-invoices.tsx';
import { renewPortalLinks } from '../invoices/renew-portal-links.ts';
import { locationAddress, locationName } from '../locations/location-name.ts';
import { LocationSidebar } from '../locations/location-sidebar.tsx';
import { RemoveLocationButton } from '../locations/remove-location-button.tsx';
import { CardChoice } from '../payment-methods/card-choice.tsx';
import { selectedCard } from '../payment-methods/selected-card.ts';
import type { DraftResult, PaymentDone } from '../payments/pay-invoices.ts';
import { isAtLocation, toPayable } from '../payments/payable/payable.ts';
import { PaymentDoneCard, readPaymentDone } from '../payments/payment-done-card.tsx';
import { lineOf } from '../payments/payment-draft.ts';
import { PaymentForm } from '../payments/payment-form.tsx';
import { usePaymentDraft } from '../payments/use-payment-draft.ts';
import { ScannedNotice } from '../scanned-invoice/scanned-notice.tsx';
import type { DashboardData } from './load-dashboard.ts';
import { PaidWithoutLists } from './paid-without-lists.tsx';

/** A failed load or a missing location shows the error page, unless the screen has to tell of a payment's outcome. */
export function DashboardScreen({
  loaded,
  locationId,
}: {
  loaded: Loaded<DashboardData>;
  locationId: string | undefined;
}) {
  const { id, email } = useUser();
  const done = readPaymentDone(useLocation().state, id);
  // Reset the result when the list changes or a payment is done. A payment outlives its page, and its person's session.
  const payment = useFetcher<DraftResult>({ key: `pay ${id} ${locationId} ${done?.references}` });
  // Not in the form, which may be gone: a list that is loaded again meanwhile lacks what was just paid.
  useGoTo(payment.state === 'idle' ? payment.data : undefined);
  const load = useLastGoodLoad(loaded, payment.data !== undefined);
  if (!load.ok) {
    if (done) return <PaidWithoutLists done={done} email={email} load={load} />;
    throw load.thrown;
  }
  return <Dashboard {...load.data} done={done} payment={payment} />;
}

function Dashboard({
  locations,
  location,
  invoices,
  paymentMethods,
  invitations,
  history,
  done,
  payment,
}: DashboardData & {
  done: PaymentDone | null;
  payment: FetcherWithComponents<DraftResult | undefined>;
}) {
  const user = useUser();
  const [draft, change] = usePaymentDraft(user.id);
  useEffect(() => {
    if (done) change({ type: 'paid', keys: done.keys });
  }, [done, change]);
  const paidEarlier = payment.data?.paidEarlier;
  useEffect(() => {
    if (paidEarlier) change({ type: 'paid-earlier', keys: paidEarlier });
  }, [paidEarlier, change]);
  const all = useMemo(() => invoices.map(toPayable), [invoices]);
  const result = payment.state === 'idle' ? payment.data : undefined;
  const outcome =
    result?.mayBePaid && !all.some(({ key }) => result.mayBePaid?.includes(key)) ? (
      <Alert tone="warning" of={result}>
        Your payment had no clear answer, and its invoices are not due here any more. See under{' '}
        <Link to="/payments">Payments</Link> whether it was made.
      </Alert>
    ) : (
      <OutcomeAlert result={result} />
    );
  const isRefused = payment.data?.isRefused ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the answer that came with this list.
  useEffect(() => change({ type: 'listed', payables: all, isRefused }), [all, change]);
  const shown = useMemo(
    () => (location ? all.filter((payable) => isAtLocation(payable, location.locationId)) : all),
    [all, location],
  );
  // Its invoices leave the list without having been paid.
  const deselectShown = useCallback(
    () => change({ type: 'select', keys: shown.map(({ key }) => key), isSelected: false }),
    [shown, change],
  );
  const name = location ? locationName(location) : 'All Unpaid Invoices';
  const sidebar = useMemo(
    () => (
      <LocationSidebar
        locations={locations}
        current={name}
        balance={<OutstandingBalance balances={all.map(({ amounts }) => amounts.balanceCents)} />}
      />
    ),
    [locations, name, all],
  );
  const locationId = location?.locationId;
  const ask = useAsk();
  const renewLinks = useCallback<RenewLinks>(
    (documentId) => ask(() => renewPortalLinks(documentId, locationId)),
    [locationId, ask],
  );
  const card = selectedCard(paymentMethods, draft.paymentMethodId);
  const banner = <InvitationBanner invitations={invitations} />;
  const scanned = (
    <ScannedNotice
      userId={user.id}
      invoices={invoices}
      locations={locations}
      isSelected={(invoice) => lineOf(draft, toPayable(invoice).key).isSelected}
      onDue={(invoice) => change({ type: 'select', keys: [toPayable(invoice).key], isSelected: true })}
    />
  );

  if (locations.length === 0) {
    return (
      <div className="dashboard-empty">
        <PageTitle title="Welcome" />
        {banner}
        {scanned}
        {outcome}
        <EmptyState
          title="Add your first location"
          action={
            <Link className="btn btn-primary" to="/locations/add">
              Add Location
            </Link>
          }
        >
          With the numbers on one of your invoices you see everything that is due at that address, and pay it
          here.
        </EmptyState>
      </div>
    );
  }

  return (
    <RenewLinksContext value={renewLinks}>
      <div className="dashboard">
        {sidebar}
        <div className="dashboard-main">
          {banner}
          {scanned}
          <div className="dashboard-head">
            <div>
              <PageTitle title={name} />
              {location && <p className="quiet">{locationAddress(location)}</p>}
            </div>
            {location && <RemoveLocationButton location={location} onRemoved={deselectShown} />}
          </div>
          {done && payment.data === undefined && (
            <PaymentDoneCard key={done.references.join()} done={done} email={user.email} />
          )}
          {shown.length === 0 ? (
            <>
              {outcome}
              <EmptyState
                title="Nothing is due"
                action={
                  <Link className="btn btn-outline" to={location ? '/invoices' : '/payments'}>
                    {location ? 'See all your invoices' : 'See your payments'}
                  </Link>
                }
              >
                {location
                  ? 'This location has no unpaid invoices.'
                  : 'Your locations have no unpaid invoices.'}
              </EmptyState>
            </>
          ) : (
            <PaymentForm
              key={`${location?.locationId} ${done?.references}`}
              payment={payment}
              outcome={outcome}
              payerId={user.id}
              payables={shown}
              draft={draft}
              change={change}
              paymentMethodId={card?.id ?? null}
              cardChoice={
                <CardChoice
                  cards={paymentMethods}
                  selected={card}
                  onChoose={(paymentMethodId) => change({ type: 'choose-card', paymentMethodId })}
                />
              }
              asksLegal={location ? !location.legalAccepted : locations.some((each) => !each.legalAccepted)}
              showsAddress={location === null}
            />
          )}
          {location === null && shown.length > 0 && (
            <p className="quiet">
              Paid invoices are under <Link to="/payments">Payments</Link>.
            </p>
          )}
          {history && <PaidInvoices invoices={history} />}
        </div>
      </div>
    </RenewLinksContext>
  );
}
