import { FetcherForm } from '@brightpane/ui/forms/fetcher-form.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import type { ReactNode } from 'react';
import { Link, useFetcher } from 'react-router';
import { InvoiceSearchFields } from '../invoice-search/invoice-search-fields.tsx';
import type { SearchNumbers } from '../invoice-search/three-numbers.ts';

/** `/locations/add`. A failure keeps what was typed. */
export function AddLocationScreen({
  numbers = NOTHING_TYPED,
  children,
}: {
  /** Initial values, from an invoice whose code was scanned. */
  numbers?: SearchNumbers;
  /** Beside the form: where to find the three numbers. */
  children: ReactNode;
}) {
  const fetcher = useFetcher<ActionResult>();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  useGoTo(result);
  return (
    <div className="search-screen">
      <PageTitle title="Add Location" />
      <OutcomeAlert result={result} />
      <div className="search-columns">
        <section className="panel">
          <h2>Find your location</h2>
          <p className="quiet">Any invoice for the address will do: all three numbers are printed on it.</p>
          <FetcherForm fetcher={fetcher}>
            <InvoiceSearchFields
              numbers={numbers}
              errors={result?.fieldErrors ?? {}}
              isPending={fetcher.state !== 'idle' || result?.success === true}
              submitLabel="Add Location"
              cancel={
                <Link className="btn btn-outline" to="/invoices">
                  Cancel
                </Link>
              }
            />
          </FetcherForm>
        </section>
        {children}
      </div>
    </div>
  );
}

const NOTHING_TYPED = { franchiseNumber: '', workOrderNumber: '', zipCode: '' };
