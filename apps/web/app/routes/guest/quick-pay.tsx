import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { useEffect, useSyncExternalStore } from 'react';
import {
  type ShouldRevalidateFunctionArgs,
  useFetcher,
  useLocation,
  useNavigation,
  useRevalidator,
} from 'react-router';
import { findInvoice } from '../../features/invoice-search/find-invoice.ts';
import {
  areComplete,
  readSearchNumbers,
  type SearchNumbers,
} from '../../features/invoice-search/three-numbers.ts';
import type { RenewLinks } from '../../features/invoices/fresh-links.ts';
import { InvoiceScreen } from '../../features/quick-pay/invoice-screen.tsx';
import {
  type GuestPayment,
  type GuestPaymentResult,
  payAsGuest,
} from '../../features/quick-pay/pay-as-guest.ts';
import { PayForm } from '../../features/quick-pay/pay-form.tsx';
import { SearchScreen } from '../../features/quick-pay/search-screen.tsx';
import { SearchingScreen } from '../../features/quick-pay/searching-screen.tsx';
import { useLastGoodLoad } from '../../lib/last-good-load.ts';
import type { Route } from './+types/quick-pay.ts';

/** The prerendered page has no query, so it knows no invoice. */
export function loader() {
  return { found: null };
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const numbers = readSearchNumbers(new URL(request.url).searchParams);
  return { found: areComplete(numbers) ? await findInvoice(numbers) : null };
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<GuestPaymentResult> {
  const { intent, payment } = (await request.json()) as { intent: string; payment: GuestPayment };
  if (intent !== 'pay') throw new Error(`Unknown form action: ${intent}`);
  return payAsGuest(payment);
}

/** A failed payment leaves the invoice as it was, unless the answer says that it changed. */
export function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return (actionResult as GuestPaymentResult | undefined)?.isInvoiceStale ?? defaultShouldRevalidate;
}

export default function QuickPay({ loaderData }: Route.ComponentProps) {
  const numbers = readSearchNumbers(new URLSearchParams(useQuery()));
  // Keyed by the invoice, so that one payment's outcome doesn't show for the next.
  const payment = useFetcher<typeof clientAction>({ key: `pay ${Object.values(numbers).join(' ')}` });
  const found = useLastGoodLoad(loaderData.found, payment.data !== undefined);
  const isUnsearched = found === null && areComplete(numbers);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isUnsearched) return;
    // In a task of its own, since hydration is long enough already.
    const timer = setTimeout(() => void revalidate());
    return () => clearTimeout(timer);
  }, [isUnsearched, revalidate]);
  const navigation = useNavigation();
  const result = payment.state === 'idle' ? payment.data : undefined;
  useGoTo(result);

  if (isUnsearched) return <SearchingScreen />;
  if (!found?.ok) {
    const isSearching = navigation.state === 'loading' && navigation.location.pathname === '/guest-payment';
    return <SearchScreen numbers={numbers} failure={found ?? undefined} isSearching={isSearching} />;
  }

  const { invoice } = found;
  const outcome = <OutcomeAlert result={result} />;
  return (
    <InvoiceScreen invoice={invoice} renewLinks={() => renewGuestLinks(numbers)}>
      {invoice.balanceDue > 0 ? (
        <PayForm
          key={`${invoice.franchiseId}-${invoice.workOrderNumber}`}
          invoice={invoice}
          zipCode={numbers.zipCode}
          isCharging={payment.state !== 'idle'}
          isPaid={result?.success === true}
          isPaidEarlier={result?.isPaidEarlier === true}
          isInDoubt={result?.isInDoubt === true}
          errors={result?.fieldErrors ?? {}}
          outcome={outcome}
          onPay={(guestPayment) =>
            payment.submit(
              { intent: 'pay', payment: guestPayment },
              { method: 'POST', encType: 'application/json' },
            )
          }
        />
      ) : (
        outcome
      )}
    </InvoiceScreen>
  );
}

async function renewGuestLinks(numbers: SearchNumbers): ReturnType<RenewLinks> {
  const found = await findInvoice(numbers);
  if (found.ok) return { ok: true, data: found.invoice };
  return found.problem && { ok: false, problem: found.problem };
}

/** The URL's query; empty during hydration, because the page was prerendered without one. */
function useQuery(): string {
  const { search } = useLocation();
  return useSyncExternalStore(
    neverChanges,
    () => search,
    () => '',
  );
}

function neverChanges() {
  return () => {};
}
