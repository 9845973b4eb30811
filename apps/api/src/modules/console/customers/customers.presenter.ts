import type { CustomerRow } from '@brightpane/contract/office/customers';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { CustomerLine } from './customer-list.queries.ts';

export const dollars = (amount: number) => toDollars(cents(amount));

export const presentCustomerLine = (row: CustomerLine): CustomerRow => ({
  franchiseId: row.franchiseId,
  customerNumber: row.customerNumber,
  name: row.name,
  email: row.email,
  locations: row.locations,
  open: dollars(row.openCents),
  overdue: dollars(row.overdueCents),
  account: row.account,
});
