import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { type ReactNode, useId } from 'react';
import { useRight } from '../../lib/me/use-me.ts';
import { timesWords } from '../../lib/times.ts';
import { INVOICE_COLUMNS, invoiceKey, invoiceLink } from '../../ui/facts/invoice-columns.tsx';
import { Notes } from '../../ui/facts/notes.tsx';
import { Dollars } from '../../ui/fields/dollars.tsx';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import { useBackKey } from '../../ui/frame/use-back-key.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';
import { PaymentsPart } from '../../ui/payment/payments-part.tsx';
import { ACCOUNT_WORDS } from './account-words.ts';
import { Invitations } from './invitations.tsx';
import { MoreLocations } from './more-locations.tsx';
import { MoreOfName } from './more-of-name.tsx';
import { People } from './people.tsx';
import { StatementForm } from './statement-form.tsx';

const COLUMNS = INVOICE_COLUMNS.filter(({ head }) => head !== 'Customer');
const LOCATION_COLUMNS = [
  {
    head: 'Location',
    isName: true as const,
    cell: ({ description, locationNumber }: OfficeCustomer['locations'][number]) =>
      description === '' ? `Location ${locationNumber}` : description,
  },
  {
    head: 'Address',
    isWide: true as const,
    cell: ({ address, city, state, zipCode }: OfficeCustomer['locations'][number]) =>
      [address, city, `${state} ${zipCode}`].filter((part) => part.trim() !== '').join(', '),
  },
  {
    head: 'Open',
    isAmount: true as const,
    cell: ({ open }: OfficeCustomer['locations'][number]) => <Dollars amount={open} />,
  },
];

/** A customer: what they owe, where the work was done, and who sees their invoices. */
export function CustomerScreen({ customer }: { customer: OfficeCustomer }) {
  const { franchiseId, customerNumber, name } = customer;
  const mayExport = useRight('export');
  useBackKey('/customers');
  return (
    <div className="screen">
      <OfficeTitle title={name} />
      <p className="list-status">{timesWords(customer.timeZone)}</p>
      <section className="card panel" aria-label="Facts">
        <dl className="facts">
          <dt>Number</dt>
          <dd>{customerNumber}</dd>
          <dt>Franchise</dt>
          <dd>
            {customer.franchiseName}, {franchiseId}
          </dd>
          <dt>Email</dt>
          <dd>{customer.email ?? 'No email'}</dd>
          <dt>Account</dt>
          <dd>{ACCOUNT_WORDS[customer.account]}</dd>
          <dt>Open</dt>
          <dd>
            <strong>
              <Dollars amount={customer.open} />
            </strong>
          </dd>
          <dt>Overdue</dt>
          <dd>
            <Dollars amount={customer.overdue} />
          </dd>
        </dl>
      </section>
      <Part title="Locations">
        {customer.locations.length === 0 ? (
          <p className="quiet">No locations.</p>
        ) : (
          <ListRows
            caption="Locations"
            columns={LOCATION_COLUMNS}
            rows={customer.locations}
            rowKey={({ locationNumber }) => String(locationNumber)}
          />
        )}
        <MoreLocations customer={customer} />
      </Part>
      <Part title="Invoices">
        {customer.invoices.length === 0 ? (
          <p className="quiet">No invoices yet.</p>
        ) : (
          <ListRows
            caption="Invoices"
            columns={COLUMNS}
            rows={customer.invoices}
            rowKey={invoiceKey}
            rowLink={invoiceLink}
          />
        )}
        <MoreOfName customer={customer} shown={customer.invoices} list="invoices" />
      </Part>
      <PaymentsPart payments={customer.payments}>
        <MoreOfName customer={customer} shown={customer.payments} list="payments" />
      </PaymentsPart>
      <People customer={customer} />
      <Invitations customer={customer} />
      <Notes
        notes={customer.notes}
        zone={customer.timeZone}
        call={OFFICE_ENDPOINTS.noteCustomer}
        params={{ franchiseId, customerNumber }}
      />
      {mayExport && <StatementForm customer={customer} />}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="screen-part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
