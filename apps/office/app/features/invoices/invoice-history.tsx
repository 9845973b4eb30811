import type { InvoiceColumn } from '@brightpane/contract/office';
import type { OfficeInvoice } from '@brightpane/contract/office/invoices';
import { Link } from 'react-router';
import { useRight } from '../../lib/me/use-me.ts';
import { formatDay, formatInstant } from '../../lib/times.ts';
import { ByText } from '../../ui/facts/by-text.tsx';
import { usd } from '../../ui/fields/dollars.tsx';

type Event = OfficeInvoice['history'][number];

const KINDS = {
  import: 'Import',
  payment: 'Payment',
  refund: 'Refund',
  'refund-undone': 'Refund taken back',
} as const;
const FIELDS: Record<InvoiceColumn | 'paid', string> = {
  paid: 'Paid by card',
  franchiseId: 'Franchise number',
  franchiseName: 'Franchise',
  timeZone: 'Time zone',
  workOrderNumber: 'Work order',
  paidElsewhere: 'Paid to the office',
  amount: 'Amount',
  salesTaxAmount: 'Sales tax',
  salesTaxRate: 'Sales tax rate',
  dueDate: 'Due',
  completedDate: 'Completed',
  tipsEnabled: 'Tips',
  service: 'Services',
  customerName: 'Customer',
  customerNumber: 'Customer number',
  customerEmail: 'Customer email',
  addressLine1: 'Address',
  locationId: 'Location number',
  description: 'Description',
  city: 'City',
  state: 'State',
  zipCode: 'Zip code',
};
const fieldWords = (field: string) => (field in FIELDS ? FIELDS[field as keyof typeof FIELDS] : field);
const AMOUNTS = new Set(['paid', 'paidElsewhere', 'amount', 'salesTaxAmount']);
const DAYS = new Set(['dueDate', 'completedDate']);

function written(field: string, value: Event['changes'][number]['after']): string {
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (DAYS.has(field)) return formatDay(String(value));
  return AMOUNTS.has(field) ? usd(Number(value)) : String(value);
}

/** **History**: each change with its values before and after, and who made it. */
export function InvoiceHistory({ history, zone }: { history: Event[]; zone: string }) {
  const seesImports = useRight('import');
  return (
    <section className="card panel" aria-labelledby="history">
      <h2 id="history">History</h2>
      {history.length === 0 ? (
        <p className="quiet">Nothing has changed since it was imported.</p>
      ) : (
        <ol className="history">
          {history.map((event, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and only ever more follow.
            <li key={index}>
              <p>
                <strong>{KINDS[event.kind]}</strong>{' '}
                <span className="quiet">
                  by <ByText by={event.by} />,{' '}
                </span>
                <time className="quiet" dateTime={event.at}>
                  {formatInstant(event.at, zone)}
                </time>
                {event.importId !== null && seesImports && (
                  <>
                    {' '}
                    <Link to={`/import?importId=${event.importId}`}>Open the import</Link>
                  </>
                )}
              </p>
              <ul>
                {event.changes.map(({ field, before, after }) => (
                  <li key={field}>
                    {fieldWords(field)}: {written(field, before)} → {written(field, after)}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
