import type { Handler } from '../call.ts';
import { runCommand } from '../commands/run-command.ts';
import { getPublicKey, mintPaymentKey } from '../payment-keys.ts';
import { getToken, makeTokens } from '../tokens.ts';
import { getTransaction, listTransactions } from '../transactions.ts';

export interface ApiRoute {
  method: string;
  /** Below `/api/v2`; a segment that starts with a colon is a parameter. */
  path: string;
  /** What faults call it. */
  name: string;
  handle: Handler;
}

/** Every call of the REST API. The first row that matches serves. */
export const API_ROUTES: ApiRoute[] = [
  { method: 'POST', path: '/transactions', name: 'transaction', handle: runCommand },
  { method: 'GET', path: '/transactions', name: 'list', handle: listTransactions },
  { method: 'GET', path: '/transactions/:key', name: 'get', handle: getTransaction },
  { method: 'GET', path: '/publickey', name: 'publickey', handle: getPublicKey },
  { method: 'POST', path: '/pub/payment_keys', name: 'payment_keys', handle: mintPaymentKey },
  { method: 'POST', path: '/tokens', name: 'tokens', handle: makeTokens },
  { method: 'GET', path: '/tokens/:token', name: 'token', handle: getToken },
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
