import type { OfficeInvoice } from '@brightpane/contract/office/invoices';
import { useRight } from '../../lib/me/use-me.ts';
import { formatInstant } from '../../lib/times.ts';
import { ByText } from '../../ui/facts/by-text.tsx';
import { invoiceFieldWords, invoiceValueWords } from '../../ui/facts/invoice-field-words.ts';
import { OfficeLink } from '../../ui/facts/office-link.tsx';

type Event = OfficeInvoice['history'][number];

const KINDS = {
  import: 'Import',
  payment: 'Payment',
  refund: 'Refund',
  'refund-undone': 'Refund taken back',
} as const;
/** **History**: each change with its values before and after, and who made it. */
export function InvoiceHistory({ history, zone }: { history: Event[]; zone: string }) {
  const seesImports = useRight('import');
  return (
    <section className="card panel" aria-labelledby="history">
      <h2 id="history">History</h2>
      {history.length === 0 ? (
        <p className="quiet">No payment, and no change by an import in the last 90 days.</p>
      ) : (
        <>
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
                      <OfficeLink to={`/import?importId=${event.importId}`}>Open the import</OfficeLink>
                    </>
                  )}
                </p>
                <ul>
                  {event.changes.map(({ field, before, after }) => (
                    <li key={field}>
                      {invoiceFieldWords(field)}: {invoiceValueWords(field, before)} →{' '}
                      {invoiceValueWords(field, after)}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
          <p className="quiet">Changes by imports are shown for 90 days.</p>
        </>
      )}
    </section>
  );
}
