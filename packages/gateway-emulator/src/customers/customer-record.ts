import type { Call } from '../call.ts';
import { textOf } from '../cards/resolve-card.ts';
import type { Customer } from '../ledger/records.ts';
import { newCustomerId, newCustomerKey } from '../merchants/keys.ts';

export const CUSTOMER_FIELDS = [
  'customerid',
  'company',
  'first_name',
  'last_name',
  'street',
  'street2',
  'city',
  'state',
  'postalcode',
  'country',
  'phone',
  'fax',
  'email',
  'url',
  'notes',
  'description',
];

export function newCustomer(call: Call, sent: Record<string, unknown>): Customer {
  const customFields = (sent.custom_fields ?? {}) as Record<string, unknown>;
  return {
    key: newCustomerKey(),
    custid: newCustomerId(),
    merchant: call.merchant.name,
    fields: Object.fromEntries(CUSTOMER_FIELDS.map((name) => [name, textOf(sent[name])])),
    customFields: Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [String(index + 1), textOf(customFields[index + 1]) || null]),
    ),
  };
}
