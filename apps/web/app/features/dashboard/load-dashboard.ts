import type { Invitation } from '@brightpane/contract/customers/invitations';
import type { Location } from '@brightpane/contract/customers/locations';
import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';
import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { loadData } from '../../lib/load-data.ts';

export type DashboardData = Awaited<ReturnType<typeof loadDashboard>>;

/** Everything of the person, or of one location of theirs. */
export async function loadDashboard(locationId: string | undefined) {
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
