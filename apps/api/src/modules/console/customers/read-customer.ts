import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { CUSTOMER_PAGE_ROWS } from '@brightpane/contract/office/most-shown';
import { centsToDollars } from '@brightpane/contract/wire';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { presentInvoiceLine } from '../invoices/console-invoices.presenter.ts';
import { selectNotes } from '../notes/notes.queries.ts';
import { paymentsOfCustomer } from '../payments/payments-of.ts';
import {
  type CustomerNumbers,
  findOfficeCustomer,
  selectCustomerInvoices,
  selectCustomerLocations,
  selectInvitations,
  selectPeople,
} from './customer-page.queries.ts';

/** Everything that an office sees about a customer on one page. */
export async function readCustomer(
  deps: Pick<Deps, 'db' | 'clock'>,
  { actorId, ...numbers }: CustomerNumbers & { actorId: string },
) {
  const db = deps.db.query;
  const row = await findOfficeCustomer(db, { ...numbers, actorId });
  if (!row) return fail('customer-not-found');
  const of = { actorId, customerId: row.id };
  const [locations, invoices, payments, people, invitations, notes] = await Promise.all([
    selectCustomerLocations(db, of),
    selectCustomerInvoices(db, { ...of, limit: CUSTOMER_PAGE_ROWS }),
    paymentsOfCustomer(db, { ...of, franchiseId: row.franchiseId, limit: CUSTOMER_PAGE_ROWS }),
    selectPeople(db, of),
    selectInvitations(db, { ...of, now: deps.clock() }),
    selectNotes(db, { actorId, subject: 'customer', subjectId: String(row.id) }),
  ]);
  const customer: OfficeCustomer = {
    franchiseId: row.franchiseId,
    franchiseName: row.franchiseName,
    timeZone: row.timeZone,
    customerNumber: row.customerNumber,
    name: row.name,
    email: row.email,
    open: centsToDollars(row.openCents),
    overdue: centsToDollars(row.overdueCents),
    account: row.account,
    locationCount: row.locations,
    locations: locations.map(({ openCents, ...location }) => ({
      ...location,
      open: centsToDollars(openCents),
    })),
    invoices: invoices.map(presentInvoiceLine),
    payments,
    people,
    invitations,
    notes,
  };
  return ok(customer);
}
