import type { Location } from '@brightpane/contract/customers/locations';
import type { Payments, Statement } from '@brightpane/contract/invoices/payment-history';
import { redirect } from 'react-router';
import { namesAmong } from '../../features/locations/location-name.ts';
import { filterQuery, paymentsPath, readFilter } from '../../features/payment-history/history-path.ts';
import { PaymentsScreen } from '../../features/payment-history/payments-screen.tsx';
import { StatementScreen } from '../../features/payment-history/statement-screen.tsx';
import { isMissing, loadData } from '../../lib/load-data.ts';
import '../../styles/payment-history.scss';
import type { Route } from './+types/payments.ts';

/** `/payments`; with `view=statement` the same payments as a statement. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url);
  const filter = readFilter(searchParams);
  const query = filterQuery(filter);
  const isStatement = searchParams.get('view') === 'statement';
  try {
    const [locations, shown] = await Promise.all([
      loadData<Location[]>('locations'),
      isStatement
        ? loadData<Statement>('statements', { query }).then((statement) => ({ statement }))
        : loadData<Payments>('payments', { query }).then((payments) => ({ payments })),
    ]);
    return { filter, locations, shown };
  } catch (thrown) {
    // A location that was removed, or never was the account's.
    if (filter.locationId === null || !isMissing(thrown)) throw thrown;
    throw redirect(paymentsPath({ ...filter, locationId: null }, { isStatement }));
  }
}

export default function PaymentsPage({ loaderData: { filter, locations, shown } }: Route.ComponentProps) {
  const nameOf = namesAmong(locations);
  const place = locations.find(({ locationId }) => String(locationId) === filter.locationId);
  if ('statement' in shown) {
    return (
      <StatementScreen filter={filter} statement={shown.statement} place={place ? nameOf(place) : null} />
    );
  }
  return <PaymentsScreen filter={filter} first={shown.payments} locations={locations} nameOf={nameOf} />;
}
