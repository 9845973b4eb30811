import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { Form } from 'react-router';

/** **Statement**: choose the days. It opens on a page that prints and that offers the file. */
export function StatementForm({ customer }: { customer: OfficeCustomer }) {
  const { franchiseId, customerNumber, timeZone } = customer;
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
  return (
    <section className="card panel" aria-labelledby="statement">
      <h2 id="statement">Statement</h2>
      <Form
        method="get"
        action={`/customers/${franchiseId}/${customerNumber}/statement`}
        className="list-filters-fields"
      >
        <FormField label="From" name="from" type="date" defaultValue={`${today.slice(0, 4)}-01-01`} />
        <FormField label="To" name="to" type="date" defaultValue={today} />
        <button type="submit" className="btn btn-outline">
          Open statement
        </button>
      </Form>
    </section>
  );
}
