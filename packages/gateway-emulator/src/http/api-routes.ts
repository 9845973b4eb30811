import { closeBatch, getBatch, listBatches, listBatchTransactions } from '../batches.ts';
import type { Handler } from '../call.ts';
import { runCommand } from '../commands/run-command.ts';
import {
  createCustomer,
  deleteCustomer,
  deleteCustomers,
  getCustomer,
  listCustomers,
  listCustomerTransactions,
  updateCustomer,
} from '../customers/customers.ts';
import {
  addPaymentMethods,
  deletePaymentMethod,
  deletePaymentMethods,
  getCardReference,
  getPaymentMethod,
  listPaymentMethods,
  updatePaymentMethod,
} from '../customers/payment-methods.ts';
import { getPublicKey, mintPaymentKey } from '../merchants/payment-keys.ts';
import { getToken, makeTokens } from '../merchants/tokens.ts';
import { getReceipt, sendReceipt } from '../transactions/receipts.ts';
import { getTransaction, listTransactions } from '../transactions/transactions.ts';

interface ApiRoute {
  method: string;
  /** Below `/api/v2`; a segment that starts with a colon is a parameter. */
  path: string;
  /** The route's name in faults. */
  name: string;
  handle: Handler;
}

const METHODS = '/customers/:custkey/payment_methods';

const PAYMENT_METHOD_ROUTES: ApiRoute[] = [
  { method: 'GET', path: METHODS, name: 'methods', handle: listPaymentMethods },
  { method: 'POST', path: METHODS, name: 'method_add', handle: addPaymentMethods },
  { method: 'DELETE', path: `${METHODS}/bulk`, name: 'method_delete', handle: deletePaymentMethods },
  { method: 'GET', path: `${METHODS}/:method`, name: 'method', handle: getPaymentMethod },
  { method: 'PUT', path: `${METHODS}/:method`, name: 'method_update', handle: updatePaymentMethod },
  { method: 'DELETE', path: `${METHODS}/:method`, name: 'method_delete', handle: deletePaymentMethod },
  { method: 'GET', path: `${METHODS}/:method/cardref`, name: 'method_cardref', handle: getCardReference },
];

/** Every route of the REST API. The first match wins. */
const API_ROUTES: ApiRoute[] = [
  { method: 'POST', path: '/transactions', name: 'transaction', handle: runCommand },
  { method: 'GET', path: '/transactions', name: 'list', handle: listTransactions },
  { method: 'GET', path: '/transactions/:key', name: 'get', handle: getTransaction },
  { method: 'GET', path: '/transactions/:key/receipts/:id', name: 'receipt', handle: getReceipt },
  { method: 'POST', path: '/transactions/:key/send', name: 'send', handle: sendReceipt },
  { method: 'GET', path: '/publickey', name: 'publickey', handle: getPublicKey },
  { method: 'POST', path: '/pub/payment_keys', name: 'payment_keys', handle: mintPaymentKey },
  { method: 'POST', path: '/tokens', name: 'tokens', handle: makeTokens },
  { method: 'GET', path: '/tokens/:token', name: 'token', handle: getToken },
  { method: 'GET', path: '/batches', name: 'batches', handle: listBatches },
  { method: 'GET', path: '/batches/:batch', name: 'batch', handle: getBatch },
  { method: 'POST', path: '/batches/:batch/close', name: 'batch_close', handle: closeBatch },
  { method: 'GET', path: '/batches/:batch/transactions', name: 'batch_list', handle: listBatchTransactions },
  { method: 'GET', path: '/customers', name: 'customers', handle: listCustomers },
  { method: 'POST', path: '/customers', name: 'customer_add', handle: createCustomer },
  { method: 'DELETE', path: '/customers/bulk', name: 'customer_delete', handle: deleteCustomers },
  { method: 'GET', path: '/customers/:custkey', name: 'customer', handle: getCustomer },
  { method: 'PUT', path: '/customers/:custkey', name: 'customer_update', handle: updateCustomer },
  { method: 'DELETE', path: '/customers/:custkey', name: 'customer_delete', handle: deleteCustomer },
  {
    method: 'GET',
    path: '/customers/:custkey/transactions',
    name: 'customer_list',
    handle: listCustomerTransactions,
  },
  ...PAYMENT_METHOD_ROUTES,
];

export interface RouteMatch {
  route: ApiRoute;
  params: Record<string, string>;
}

function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const [wanted, segments] = [template.split('/'), path.split('/')];
  if (wanted.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}

export function matchRoute(method: string, path: string): RouteMatch | undefined {
  for (const route of API_ROUTES) {
    const params = route.method === method ? paramsOf(route.path, path) : undefined;
    if (params) return { route, params };
  }
  return undefined;
}
