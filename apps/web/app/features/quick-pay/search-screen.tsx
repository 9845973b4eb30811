import { Form } from 'react-router';
import type { FieldErrors } from '../../lib/action-result.ts';
import { Alert } from '../../ui/alert.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { InvoiceSearchFields } from '../invoice-search/invoice-search-fields.tsx';
import type { SearchNumbers } from '../invoice-search/three-numbers.ts';
import { WhereTheNumbersAre } from './where-the-numbers-are.tsx';

/** `/guest-payment` before an invoice is found. The form goes by address, so an invoice can be linked to. */
export function SearchScreen({
  numbers,
  failure,
  isSearching,
}: {
  numbers: SearchNumbers;
  failure?: { message: string; fieldErrors: FieldErrors } | undefined;
  isSearching: boolean;
}) {
  return (
    <div className="search-screen">
      <PageTitle title="Pay Invoice" />
      {failure && !isSearching && <Alert tone="danger">{failure.message}</Alert>}
      <div className="search-columns">
        <section className="panel">
          <h2>Find your invoice</h2>
          <p className="quiet">All three numbers are printed on it.</p>
          <Form method="get" action="/guest-payment">
            <InvoiceSearchFields
              key={Object.values(numbers).join(' ')}
              numbers={numbers}
              errors={failure?.fieldErrors ?? {}}
              isPending={isSearching}
              submitLabel="Find Invoice"
            />
          </Form>
        </section>
        <WhereTheNumbersAre />
      </div>
    </div>
  );
}
