import { formText } from '@brightpane/ui/forms/form-text';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { DashboardScreen } from '../../features/dashboard/dashboard-screen.tsx';
import { loadDashboard } from '../../features/dashboard/load-dashboard.ts';
import { acceptInvitations } from '../../features/invitations/accept-invitations.ts';
import { removeLocation } from '../../features/locations/remove-location.ts';
import { type DraftResult, payInvoices } from '../../features/payments/pay-invoices.ts';
import { tryToLoad } from '../../lib/last-good-load.ts';
import { isOfLeftScreen } from '../../lib/left-screen.ts';
import type { Route } from './+types/dashboard.ts';

/** `/invoices` and `/locations/{locationId}`. */
export async function clientLoader({ params }: { params: { locationId?: string } }) {
  return tryToLoad(() => loadDashboard(params.locationId));
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

export default function DashboardPage({ loaderData, params }: Route.ComponentProps) {
  return <DashboardScreen loaded={loaderData} locationId={params.locationId} />;
}
