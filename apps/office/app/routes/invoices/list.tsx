import type { OfficeInvoiceList, OfficeInvoiceRow } from '@brightpane/contract/office/invoices';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { INVOICE_FILTERS, InvoicesScreen } from '../../features/invoices/invoices-screen.tsx';
import { startList } from '../../ui/list/load-list.ts';
import type { Route } from './+types/list.ts';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return {
    load: startList<OfficeInvoiceRow, OfficeInvoiceList>(OFFICE_ENDPOINTS.invoices, request, INVOICE_FILTERS),
  };
}

export default function Invoices({ loaderData }: Route.ComponentProps) {
  return <InvoicesScreen load={loaderData.load} />;
}
