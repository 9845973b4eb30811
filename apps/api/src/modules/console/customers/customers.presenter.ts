import type { CustomerRow } from '@brightpane/contract/office/customers';
import { centsToDollars } from '@brightpane/contract/wire';
import type { CustomerLine } from './customer-list.queries.ts';

export const presentCustomerLine = (row: CustomerLine): CustomerRow => ({
  franchiseId: row.franchiseId,
  customerNumber: row.customerNumber,
  name: row.name,
  email: row.email,
  locations: row.locations,
  open: centsToDollars(row.openCents),
  overdue: centsToDollars(row.overdueCents),
  account: row.account,
});
