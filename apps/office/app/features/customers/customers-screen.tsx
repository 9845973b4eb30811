import type { CustomerList, CustomerRow } from '@brightpane/contract/office/customers';
import { useRight } from '../../lib/me/use-me.ts';
import { useFranchiseColumn } from '../../ui/facts/franchise-column.ts';
import { ImportLink } from '../../ui/facts/import-link.tsx';
import { Dollars } from '../../ui/fields/dollars.tsx';
import type { ListFilter } from '../../ui/list/filters/list-filter.ts';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListScreen } from '../../ui/list/list-screen.tsx';
import type { ListLoad } from '../../ui/list/load-list.ts';
import { ACCOUNT_WORDS } from './account-words.ts';
import { InviteSelected } from './invite-selected.tsx';
import { customerKey, useTickedCustomers } from './use-ticked-customers.ts';

export const CUSTOMER_FILTERS: ListFilter[] = [
  { kind: 'search', name: 'search', label: 'Search', help: 'A name, an address, an email, a number.' },
  {
    kind: 'select',
    name: 'account',
    label: 'Account',
    options: [
      { value: '', text: 'All' },
      ...Object.entries(ACCOUNT_WORDS).map(([value, text]) => ({ value, text })),
    ],
  },
];

const COLUMNS: ListColumn<CustomerRow>[] = [
  { head: 'Number', cell: ({ customerNumber }) => String(customerNumber) },
  { head: 'Name', isName: true, isWide: true, cell: ({ name }) => name },
  { head: 'Email', isWide: true, cell: ({ email }) => email },
  { head: 'Locations', isAmount: true, cell: ({ locations }) => String(locations) },
  { head: 'Open', isAmount: true, cell: ({ open }) => <Dollars amount={open} /> },
  { head: 'Overdue', isAmount: true, cell: ({ overdue }) => <Dollars amount={overdue} /> },
  { head: 'Account', cell: ({ account }) => ACCOUNT_WORDS[account] },
];

const MOST_SELECTED = 100;

/** **Customers**: who is billed, what they owe and who sees their invoices. */
export function CustomersScreen({ load }: { load: ListLoad<CustomerRow, CustomerList> }) {
  const mayInvite = useRight('invite');
  const mayImport = useRight('import');
  const columns = useFranchiseColumn(COLUMNS, ({ franchiseId }) => [franchiseId]);
  const [selected, select] = useTickedCustomers(load);
  const selection: ListColumn<CustomerRow> = {
    head: 'Select',
    cell: (row) => (
      <input
        type="checkbox"
        className="form-check-input row-check"
        aria-label={`Select ${row.name}`}
        checked={selected.has(customerKey(row))}
        disabled={!selected.has(customerKey(row)) && selected.size === MOST_SELECTED}
        onChange={(event) => select(row, event.target.checked)}
      />
    ),
  };
  return (
    <ListScreen
      title="Customers"
      load={load}
      columns={mayInvite ? [selection, ...columns] : columns}
      rowKey={customerKey}
      rowLink={(row) => `/customers/${customerKey(row)}`}
      filters={CUSTOMER_FILTERS}
      order="by-name"
      hasTimes={false}
      empty={{ text: 'No customers yet.', action: mayImport && <ImportLink /> }}
      below={
        mayInvite && <InviteSelected rows={[...selected.values()]} onInvited={(row) => select(row, false)} />
      }
    />
  );
}
