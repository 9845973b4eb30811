import type { Call, Plan } from '../call.ts';
import { textOf } from '../cards/resolve-card.ts';
import type { Change } from '../ledger/ledger.ts';
import type { Customer } from '../ledger/records.ts';
import { listPlan } from '../transactions/list-view.ts';
import { refusal } from '../transactions/refusal.ts';
import { rowOf } from '../transactions/transactions.ts';
import { CUSTOMER_FIELDS, newCustomer } from './customer-record.ts';
import { newPaymentMethod, paymentMethodsOf } from './payment-method-record.ts';
import { paymentMethodView } from './payment-method-view.ts';

function customerRow(customer: Customer): Record<string, unknown> {
  const { key, custid, fields, customFields } = customer;
  return { key, type: 'customer', custid, ...fields, custom_fields: customFields };
}

function customerView(call: Call, customer: Customer): Record<string, unknown> {
  const methods = paymentMethodsOf(call, customer.key);
  return {
    ...customerRow(customer),
    billing_schedules: [],
    payment_methods: methods.map((method) => paymentMethodView(call, method)),
  };
}

/** The customer in the path, if it belongs to the merchant. */
export function findCustomer(call: Call): Customer | undefined {
  const customer = call.ledger.get('customers', call.params.custkey ?? '');
  return customer?.merchant === call.merchant.name ? customer : undefined;
}

/** POST /customers: from the request's fields, or from a past transaction and its card. */
export function createCustomer(call: Call): Plan {
  const transactionKey = textOf(call.body.transaction_key);
  if (transactionKey !== '') return createFromTransaction(call, transactionKey);
  const customer = newCustomer(call, call.body);
  const { company, first_name, last_name } = customer.fields;
  if (!company && !(first_name && last_name))
    return refusal(400, 99999, 'A company, or a first and a last name, is required.');
  const body = { ...customerView(call, customer), payment_methods: [] };
  return { status: 200, body, changes: [{ table: 'customers', put: customer }] };
}

function createFromTransaction(call: Call, key: string): Plan {
  const transaction = call.ledger.transactionOf(call.merchant.name, key);
  if (!transaction) return refusal(404, 106);
  const billing = (transaction.fields.billing_address ?? {}) as Record<string, unknown>;
  const names = { first_name: billing.firstname, last_name: billing.lastname };
  const customer = newCustomer(call, { ...billing, ...names });
  const method = newPaymentMethod(call, customer.key, transaction.card, {});
  return {
    status: 200,
    body: { ...customerView(call, customer), payment_methods: [paymentMethodView(call, method)] },
    changes: [
      { table: 'customers', put: customer },
      { table: 'paymentMethods', put: method },
    ],
  };
}

/** GET /customers/:custkey. */
export function getCustomer(call: Call): Plan {
  const customer = findCustomer(call);
  if (!customer) return refusal(404, 99999);
  return { status: 200, body: customerView(call, customer), changes: [] };
}

/** GET /customers. */
export function listCustomers(call: Call): Plan {
  const customers = call.ledger.all('customers').filter(({ merchant }) => merchant === call.merchant.name);
  return listPlan(customers.reverse(), call.query, customerRow);
}

/** PUT /customers/:custkey: changes only the fields that were sent. */
export function updateCustomer(call: Call): Plan {
  const customer = findCustomer(call);
  if (!customer) return refusal(404, 99999);
  const sent = CUSTOMER_FIELDS.filter((name) => call.body[name] !== undefined);
  const customFields = (call.body.custom_fields ?? {}) as Record<string, string>;
  const updated: Customer = {
    ...customer,
    fields: {
      ...customer.fields,
      ...Object.fromEntries(sent.map((name) => [name, textOf(call.body[name])])),
    },
    customFields: { ...customer.customFields, ...customFields },
  };
  return {
    status: 200,
    body: customerView(call, updated),
    changes: [{ table: 'customers', put: updated }],
  };
}

function removal(call: Call, customer: Customer): Change[] {
  const methods = paymentMethodsOf(call, customer.key);
  return [
    { table: 'customers', remove: customer.key },
    ...methods.map(({ key }): Change => ({ table: 'paymentMethods', remove: key })),
  ];
}

/** DELETE /customers/:custkey: deletes its methods too. */
export function deleteCustomer(call: Call): Plan {
  const customer = findCustomer(call);
  if (!customer) return refusal(403, 21003);
  return { status: 200, body: { status: 'success' }, changes: removal(call, customer) };
}

/** DELETE /customers/bulk. */
export function deleteCustomers(call: Call): Plan {
  const keys = Array.isArray(call.body.keys) ? call.body.keys.map(textOf) : [];
  const customers = keys.map((custkey) => findCustomer({ ...call, params: { custkey } }));
  const changes = customers.flatMap((customer) => (customer ? removal(call, customer) : []));
  return { status: 200, body: { status: 'success' }, changes };
}

/** GET /customers/:custkey/transactions: the narrowest look-up there is. */
export function listCustomerTransactions(call: Call): Plan {
  const customer = findCustomer(call);
  if (!customer) return refusal(404, 99999);
  const rows = call.ledger
    .transactionsOf(call.merchant.name)
    .filter(({ customerKey }) => customerKey === customer.key);
  return listPlan(rows, call.query, (transaction) => rowOf(call, transaction));
}
