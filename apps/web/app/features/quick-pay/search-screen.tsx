import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import { useSendOnce } from '@brightpane/ui/forms/use-send-once';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { type FormEvent, useState } from 'react';
import { Form, useSubmit } from 'react-router';
import { refuseCardNumbers } from '../../lib/card-number-guard.ts';
import { InvoiceSearchFields } from '../invoice-search/invoice-search-fields.tsx';
import type { SearchNumbers } from '../invoice-search/three-numbers.ts';
import { WhereTheNumbersAre } from './where-the-numbers-are.tsx';

type SearchFailure = { message: string; fieldErrors: FieldErrors };

/** `/guest-payment` before an invoice is found. The form submits by GET, so that an invoice can be linked to. */
export function SearchScreen({
  numbers,
  failure,
  isSearching,
}: {
  numbers: SearchNumbers;
  failure?: SearchFailure | undefined;
  isSearching: boolean;
}) {
  const [refusal, setRefusal] = useState<SearchFailure | null>(null);
  const shown = refusal ?? failure;
  const submit = useSubmit();
  const { send, noteClick } = useSendOnce({ isPending: isSearching });

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    // A card number must not even reach the URL.
    const problem = refuseCardNumbers({
      query: Object.fromEntries(new FormData(form)) as Record<string, string>,
    });
    setRefusal(problem && { message: problem.detail, fieldErrors: fieldErrors(problem) });
    if (problem === null) send(event, () => submit(form));
  }

  return (
    <div className="search-screen">
      <PageTitle title="Pay Invoice" />
      {shown && !isSearching && (
        <Alert tone="danger" of={shown}>
          {shown.message}
        </Alert>
      )}
      <div className="search-columns">
        <section className="panel">
          <h2>Find your invoice</h2>
          <p className="quiet">All three numbers are printed on it.</p>
          <Form method="get" action="/guest-payment" onClickCapture={noteClick} onSubmit={search}>
            <InvoiceSearchFields
              key={Object.values(numbers).join(' ')}
              numbers={numbers}
              errors={shown?.fieldErrors ?? {}}
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
