import type { Endpoint } from '@brightpane/contract/endpoints';
import { type Answer, askServer } from '@brightpane/ui/forms/ask-server';
import { refuseCardNumbers } from './card-number-guard.ts';
import { env } from './env.ts';

export type CallOptions = {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** Sends one call, with the header that every call needs. Network failures never throw. */
export async function sendRequest<Data>(
  endpoint: Endpoint,
  options: CallOptions = {},
): Promise<Answer<Data>> {
  const refusal = refuseCardNumbers(options);
  if (refusal) return { ok: false, problem: refusal };
  const { params = {}, query, body, headers = {} } = options;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])));
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return askServer(`${window.location.origin}/api${path}${search}`, {
    method: endpoint.method,
    headers: {
      'X-APISecret': env.apiSecret,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
