import type { Invitation } from '@brightpane/contract/invitations';
import type { Invoice } from '@brightpane/contract/invoices';
import type { Location } from '@brightpane/contract/locations';
import type { PaymentMethod } from '@brightpane/contract/payment-methods';
import { InvitationBanner } from '../../features/invitations/invitation-banner.tsx';
import { loadData } from '../../lib/load-data.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import type { Route } from './+types/dashboard.ts';

/** Everything of the dashboard is asked for at once (spec section 7). */
export async function clientLoader() {
  const [locations, invoices, paymentMethods, invitations] = await Promise.all([
    loadData<Location[]>('locations'),
    loadData<Invoice[]>('invoices'),
    loadData<PaymentMethod[]>('paymentMethods'),
    loadData<Invitation[]>('invitations'),
  ]);
  return { locations, invoices, paymentMethods, invitations };
}

export default function Dashboard({ loaderData: { invitations } }: Route.ComponentProps) {
  return (
    <div className="dashboard">
      <InvitationBanner invitations={invitations} />
      <PageTitle title="All Unpaid Invoices" />
    </div>
  );
}
