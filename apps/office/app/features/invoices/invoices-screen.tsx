import type { OfficeInvoiceList, OfficeInvoiceRow } from '@brightpane/contract/office/invoices';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { useRight } from '../../lib/me/use-me.ts';
import { useFranchiseColumn } from '../../ui/facts/franchise-column.ts';
import { ImportLink } from '../../ui/facts/import-link.tsx';
import { INVOICE_COLUMNS, invoiceKey, invoiceLink } from '../../ui/facts/invoice-columns.tsx';
import type { ListFilter } from '../../ui/list/filters/list-filter.ts';
import { ListScreen } from '../../ui/list/list-screen.tsx';
import type { ListLoad } from '../../ui/list/load-list.ts';

export const INVOICE_FILTERS: ListFilter[] = [
  {
    kind: 'search',
    name: 'search',
    label: 'Search',
    help: 'A work order, a name, an address, an email, “about 120”.',
  },
  {
    kind: 'select',
    name: 'status',
    label: 'Status',
    options: [
      { value: '', text: 'All' },
      { value: 'open', text: 'Open' },
      { value: 'overdue', text: 'Overdue' },
      { value: 'paid', text: 'Paid' },
      { value: 'overpaid', text: 'Overpaid' },
    ],
  },
  { kind: 'day', name: 'from', label: 'From' },
  { kind: 'day', name: 'to', label: 'To' },
];

/** **Invoices**: what was billed and what is still owed. */
export function InvoicesScreen({ load }: { load: ListLoad<OfficeInvoiceRow, OfficeInvoiceList> }) {
  const mayImport = useRight('import');
  const status = new URLSearchParams(load.search).get('status');
  const columns = useFranchiseColumn(INVOICE_COLUMNS, ({ franchiseId }) => [franchiseId]);
  return (
    <ListScreen
      title="Invoices"
      load={load}
      columns={columns}
      rowKey={invoiceKey}
      rowLink={invoiceLink}
      filters={INVOICE_FILTERS}
      order={status === 'open' || status === 'overdue' ? 'due-first' : 'newest-first'}
      hasTimes={false}
      exported={{ path: OFFICE_ENDPOINTS.exportInvoices.path, stepUp: 'Export invoices' }}
      empty={{ text: 'No invoices yet.', action: mayImport && <ImportLink /> }}
    />
  );
}
