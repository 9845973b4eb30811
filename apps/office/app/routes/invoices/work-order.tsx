import type { OfficeInvoice } from '@brightpane/contract/office/invoices';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { WorkOrderScreen } from '../../features/invoices/work-order-screen.tsx';
import { loadData } from '../../lib/load-data.ts';
import type { Route } from './+types/work-order.ts';

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return loadData<OfficeInvoice>(OFFICE_ENDPOINTS.invoice, { params });
}

export default function WorkOrder({ loaderData: invoice }: Route.ComponentProps) {
  return <WorkOrderScreen invoice={invoice} />;
}
