import type { Location } from '@brightpane/contract/customers/locations';
import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { findInvoice } from '../invoice-search/find-invoice.ts';
import type { SearchNumbers } from '../invoice-search/three-numbers.ts';

/** What an invoice's code leads a signed-in person to. */
export type Scanned =
  | { kind: 'due'; invoice: Invoice }
  /** Due, but in no account's list: a former customer's, say. */
  | { kind: 'quick-pay'; invoice: Invoice }
  /** `location`: whose page lists the payment, if the person sees it. */
  | { kind: 'paid'; invoice: Invoice; location: Location | undefined }
  | { kind: 'elsewhere'; invoice: Invoice }
  | { kind: 'not-found'; message: string };

/** Looks among the person's loaded invoices first, and asks the server only for others. */
export async function findScanned(
  numbers: SearchNumbers,
  own: { invoices: readonly Invoice[]; locations: readonly Location[] },
): Promise<Scanned> {
  const due = own.invoices.find((invoice) => isNamedBy(invoice, numbers));
  if (due) return { kind: 'due', invoice: due };
  const found = await findInvoice(numbers);
  if (!found.ok) return { kind: 'not-found', message: found.message };
  const { invoice } = found;
  const { balanceDue, isOfFormerCustomer, workOrders } = invoice;
  const location = isOfFormerCustomer
    ? undefined
    : own.locations.find((each) => workOrders.some(({ locationId }) => locationId === each.locationId));
  if (!location && !isOfFormerCustomer) return { kind: 'elsewhere', invoice };
  return balanceDue > 0 ? { kind: 'quick-pay', invoice } : { kind: 'paid', invoice, location };
}

function isNamedBy(invoice: Invoice, { franchiseNumber, workOrderNumber }: SearchNumbers): boolean {
  return (
    invoice.franchiseId === Number(franchiseNumber) && invoice.workOrderNumber === Number(workOrderNumber)
  );
}
