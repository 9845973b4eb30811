import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { StatementDays } from './statement-days.tsx';

/** **Statement**: choose the days. It opens on a page that prints and that offers the file. */
export function StatementForm({ customer }: { customer: OfficeCustomer }) {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: customer.timeZone }).format(new Date());
  return (
    <section className="card panel" aria-labelledby="statement">
      <h2 id="statement">Statement</h2>
      <StatementDays of={customer} from={`${today.slice(0, 4)}-01-01`} to={today} />
    </section>
  );
}
