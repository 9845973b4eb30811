import type { Location } from '@brightpane/contract/customers/locations';
import type { ListedPayment, Payments } from '@brightpane/contract/invoices/payment-history';
import { NO_ANSWER, type Refusal, withWaitAdvice } from '@brightpane/contract/wait-advice';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { EmptyState } from '@brightpane/ui/outcomes/empty-state.tsx';
import { focusTitleIfLost } from '@brightpane/ui/page/focus-soon';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { readData } from '../../lib/read-data.ts';
import { type PagesPerson, pagesPerson } from '../../lib/session/pages-person.ts';
import { useAsk } from '../../lib/use-ask.ts';
import { filterQuery, type HistoryFilter, paymentsPath } from './history-path.ts';
import { PaymentFilters } from './payment-filters.tsx';
import { PaymentList } from './payment-list.tsx';

/** The account's payments of a year, and others' payments at its locations, with links to the receipts. */
export function PaymentsScreen({
  filter,
  first,
  locations,
  nameOf,
}: {
  filter: HistoryFilter;
  first: Payments;
  locations: Location[];
  nameOf: (location: Location) => string;
}) {
  const isEmpty = first.items.length === 0;
  const path = paymentsPath(filter);
  // The link of an empty year is gone once it was followed.
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    return focusTitleIfLost();
  }, [path]);
  const place = locations.find(({ locationId }) => String(locationId) === filter.locationId);
  return (
    <div className="payment-history">
      <div className="payment-history-head">
        <PageTitle title="Payments" />
        {!isEmpty && (
          <Link className="btn btn-outline" to={paymentsPath(filter, { isStatement: true })}>
            Statement
          </Link>
        )}
      </div>
      <PaymentFilters filter={filter} years={first.years} locations={locations} nameOf={nameOf} />
      {/* Always there, as screen readers read only what changes. */}
      <p className="visually-hidden" role="status">
        {`${countWords(first)} in ${filter.year}${place ? ` at ${nameOf(place)}` : ''}`}
      </p>
      {isEmpty ? (
        <NoPayments filter={filter} years={first.years} />
      ) : (
        // Keyed, so that a different list starts at its first page; the filters keep the focus.
        <Pages key={path} filter={filter} first={first} />
      )}
    </div>
  );
}

function countWords({ items: { length }, next }: Payments): string {
  if (length === 0) return 'No payments';
  if (next !== null) return `The last ${length} payments`;
  return length === 1 ? '1 payment' : `${length} payments`;
}

/** The pages after the first one. */
type More = {
  /** The payment that the first page ended with. */
  after: string;
  /** Of the pages that were asked for. */
  cursors: string[];
  items: ListedPayment[];
  /** The first payment of the last page that was asked for. */
  arrived: string | undefined;
  next: string | null;
};

/** By history key, so that whoever comes back from a receipt finds the list as they left it. Goes with the person. */
const kept = new WeakMap<PagesPerson, Map<string, More>>();

function keptPages(): Map<string, More> {
  const person = pagesPerson();
  const pages = kept.get(person) ?? new Map<string, More>();
  kept.set(person, pages);
  return pages;
}

/** The list's first page, and those that the person asked for. */
function Pages({ filter, first }: { filter: HistoryFilter; first: Payments }) {
  const ask = useAsk();
  const { key } = useLocation();
  const [loaded, setMore] = useState(() => keptPages().get(key) ?? null);
  useEffect(() => {
    // Without the arrival, which takes the focus once.
    if (loaded) keptPages().set(key, { ...loaded, arrived: undefined });
  }, [key, loaded]);
  const [isLoading, setIsLoading] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  // A payment that ended meanwhile moves the first page, and the others wouldn't follow it without a gap.
  const after = first.items.at(-1)?.paymentId ?? '';
  const more = loaded?.after === after ? loaded : null;
  const items = [...first.items, ...(more?.items ?? [])];
  const next = more ? more.next : first.next;

  const loadPage = (cursor: string) =>
    ask(() => readData<Payments>('payments', { query: { ...filterQuery(filter), cursor } }));

  async function loadMore(cursor: string) {
    setIsLoading(true);
    setRefusal(null);
    const answer = await loadPage(cursor);
    setIsLoading(false);
    if (!answer?.ok) return setRefusal(answer?.problem ?? { status: NO_ANSWER });
    const { items: page, next } = answer.data;
    const { cursors = [], items = [] } = more ?? {};
    setMore({
      after,
      cursors: [...cursors, cursor],
      items: [...items, ...page],
      arrived: page[0]?.paymentId,
      next,
    });
  }

  /** What was left shows at once, and may have changed meanwhile. */
  async function loadAgain(shown: More, isLeft: () => boolean) {
    let again: More = { ...shown, cursors: [], items: [], next: first.next };
    // As many pages as there were, each from where the one before ends by now.
    while (again.next !== null && again.cursors.length < shown.cursors.length) {
      const cursor = again.next;
      const answer = await loadPage(cursor);
      if (!answer?.ok || isLeft()) return;
      const { items, next } = answer.data;
      again = { ...again, cursors: [...again.cursors, cursor], items: [...again.items, ...items], next };
    }
    // Unless more was asked for in the meantime.
    setMore((now) => (now === shown ? again : now));
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on coming back.
  useEffect(() => {
    let isLeft = false;
    if (more) void loadAgain(more, () => isLeft);
    return () => {
      isLeft = true;
    };
  }, []);

  return (
    <>
      <PaymentList payments={items} arrived={more?.arrived} />
      {refusal && (
        <Alert tone="danger" of={refusal}>
          {withWaitAdvice('Unable to load more payments. Please try again.', refusal)}
        </Alert>
      )}
      {next !== null && (
        <button
          type="button"
          className="btn btn-outline payment-more"
          aria-busy={isLoading}
          onClick={() => !isLoading && void loadMore(next)}
        >
          {isLoading ? 'Loading…' : 'Show more payments'}
        </button>
      )}
    </>
  );
}

function NoPayments({ filter, years }: { filter: HistoryFilter; years: number[] }) {
  const [last] = years;
  return (
    <EmptyState
      title={`No payments in ${filter.year}.`}
      action={
        last === undefined ? (
          <Link className="btn btn-outline" to="/invoices">
            See your invoices
          </Link>
        ) : (
          <Link className="btn btn-outline" to={paymentsPath({ ...filter, year: last })}>
            Payments in {last}
          </Link>
        )
      }
    />
  );
}
