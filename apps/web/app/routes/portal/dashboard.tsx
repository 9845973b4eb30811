import type { Invitation } from '@brightpane/contract/customers/invitations';
import type { Location } from '@brightpane/contract/customers/locations';
import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';
import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { formText } from '@brightpane/ui/forms/form-text';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { EmptyState } from '@brightpane/ui/outcomes/empty-state.tsx';
import { LoadError } from '@brightpane/ui/outcomes/load-error';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { useCallback, useEffect, useMemo } from 'react';
import {
  type FetcherWithComponents,
  Link,
  type ShouldRevalidateFunctionArgs,
  useFetcher,
  useLocation,
  useRevalidator,
} from 'react-router';
import { useUser } from '../../features/auth/use-user.ts';
import { acceptInvitations } from '../../features/invitations/accept-invitations.ts';
import { InvitationBanner } from '../../features/invitations/invitation-banner.tsx';
import { type RenewLinks, RenewLinksContext } from '../../features/invoices/fresh-links.ts';
import { OutstandingBalance } from '../../features/invoices/outstanding-balance.tsx';
import { PaidInvoices } from '../../features/invoices/paid-invoices.tsx';
import { renewPortalLinks } from '../../features/invoices/renew-portal-links.ts';
import { locationAddress, locationName } from '../../features/locations/location-name.ts';
import { LocationSidebar } from '../../features/locations/location-sidebar.tsx';
import { removeLocation } from '../../features/locations/remove-location.ts';
import { RemoveLocationButton } from '../../features/locations/remove-location-button.tsx';
import { CardChoice } from '../../features/payment-methods/card-choice.tsx';
import { selectedCard } from '../../features/payment-methods/selected-card.ts';
import { type DraftResult, type PaymentDone, payInvoices } from '../../features/payments/pay-invoices.ts';
import { isAtLocation, toPayable } from '../../features/payments/payable/payable.ts';
import { PaymentDoneCard, readPaymentDone } from '../../features/payments/payment-done-card.tsx';
import { lineOf } from '../../features/payments/payment-draft.ts';
import { PaymentForm } from '../../features/payments/payment-form.tsx';
import { usePaymentDraft } from '../../features/payments/use-payment-draft.ts';
import { ScannedNotice } from '../../features/scanned-invoice/scanned-notice.tsx';
import { tryToLoad, useLastGoodLoad } from '../../lib/last-good-load.ts';
import { isOfLeftScreen } from '../../lib/left-screen.ts';
import { loadData } from '../../lib/load-data.ts';
import { useAsk } from '../../lib/use-ask.ts';
import type { Route } from './+types/dashboard.ts';

/** `/invoices` and `/locations/{locationId}`. */
export async function clientLoader({ params }: { params: { locationId?: string } }) {
  return tryToLoad(() => loadDashboard(params.locationId));
}

async function loadDashboard(locationId: string | undefined) {
  const [locations, invoices, paymentMethods, invitations, history] = await Promise.all([
    loadData<Location[]>('locations'),
    loadData<Invoice[]>('invoices'),
    loadData<PaymentMethod[]>('paymentMethods'),
    loadData<Invitation[]>('invitations'),
    locationId === undefined ? null : loadData<Invoice[]>('locationHistory', { params: { locationId } }),
  ]);
  const location = locations.find((each) => String(each.locationId) === locationId) ?? null;
  if (locationId !== undefined && location === null) throw new Error('Unknown location');
  return { locations, location, invoices, paymentMethods, invitations, history };
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  const form = await request.formData();
  const intent = formText(form, 'intent');
  switch (intent) {
    case 'pay-invoices':
      return payInvoices(JSON.parse(formText(form, 'payment')));
    case 'accept-invitations':
      return acceptInvitations();
    case 'remove-location':
      return removeLocation(formText(form, 'locationId'));
    default:
      throw new Error(`Unknown form action: ${intent}`);
  }
}

/** A success leads to a page that loads everything; a failure may mean that the invoices have changed. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  const { actionResult, defaultShouldRevalidate } = args;
  if (actionResult === undefined || isOfLeftScreen(args)) return defaultShouldRevalidate;
  return (actionResult as Partial<DraftResult>).isStale ?? false;
}

/** A failed load or a missing location shows the error page, unless the screen has to tell of a payment's outcome. */
export default function DashboardPage({ loaderData, params }: Route.ComponentProps) {
  const { id, email } = useUser();
  const done = readPaymentDone(useLocation().state, id);
  // Reset the result when the list changes or a payment is done. A payment outlives its page, and its person's session.
  const payment = useFetcher<DraftResult>({ key: `pay ${id} ${params.locationId} ${done?.references}` });
  // Not in the form, which may be gone: a list that is loaded again meanwhile lacks what was just paid.
  useGoTo(payment.state === 'idle' ? payment.data : undefined);
  const load = useLastGoodLoad(loaderData, payment.data !== undefined);
  if (!load.ok) {
    if (done) return <PaidWithoutLists done={done} email={email} load={load} />;
    throw load.thrown;
  }
  return <Dashboard {...load.data} done={done} payment={payment} />;
}

/** The lists of before would show what was just paid as due. */
function PaidWithoutLists({
  done,
  email,
  load,
}: {
  done: PaymentDone;
  email: string;
  load: { thrown: unknown };
}) {
  const { state, revalidate } = useRevalidator();
  const isAsking = state !== 'idle';
  return (
    <div className="dashboard-empty">
      <PageTitle title="All Unpaid Invoices" />
      <PaymentDoneCard done={done} email={email} />
      <Alert tone="danger" of={load}>
        Your payment is made, but your other invoices did not load.{' '}
        {load.thrown instanceof LoadError && load.thrown.advice}
      </Alert>
      <div className="button-row">
        {/* Not disabled meanwhile, which would drop the focus. */}
        <button
          type="button"
          className="btn btn-primary"
          aria-disabled={isAsking}
          onClick={() => isAsking || void revalidate()}
        >
          Try again
        </button>
      </div>
    </div>
  );
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
}: Awaited<ReturnType<typeof loadDashboard>> & {
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
