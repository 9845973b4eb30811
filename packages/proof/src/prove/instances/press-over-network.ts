import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { codesOf, type Heard, readAnswer } from '../races/heard.ts';
import type { Press } from '../races/pay.ts';

/** Presses Pay once, over a separate connection. */
export async function pressOverNetwork(url: string, { path, body, key, token }: Press): Promise<Heard> {
  const headers = {
    'x-apisecret': TEST_SECRETS.apiSecret,
    'idempotency-key': key,
    ...(token && { authorization: `Bearer ${token}` }),
  };
  return readAnswer(key, await post(`${url}/api${path}`, { body, headers }));
}

const BETWEEN_PRESSES_MILLISECONDS = 100;

/**
 * Presses Pay under the same key until the answer is final, as the page asks people to. Returns everything that was
 * heard on the way.
 */
export async function pressUntilTold(
  url: string,
  press: Press,
  { mayGoOn = () => true }: { mayGoOn?: () => boolean } = {},
): Promise<Heard[]> {
  const heard: Heard[] = [];
  for (;;) {
    const last = await pressOverNetwork(url, press);
    heard.push(last);
    if (!isPassing(last) || !mayGoOn()) return heard;
    await wait(BETWEEN_PRESSES_MILLISECONDS);
  }
}

/** No answer, or one that says the outcome isn't known yet. */
const isPassing = (heard: Heard) =>
  heard.status === 0 ||
  (heard.heard === 'nothing certain' && heard.status === 503) ||
  (heard.status === 409 && codesOf(heard).includes('InProgress'));

type Answer = { status: number; body: unknown; retryAfter?: string | undefined };

/** `null` if the connection broke before the answer was complete. */
export function post(
  url: string,
  { body, headers = {} }: { body: unknown; headers?: Record<string, string> },
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const request = http.request(
      url,
      { method: 'POST', agent: false, headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', () => resolve(null));
        response.on('end', () => {
          const retryAfter = response.headers['retry-after'];
          resolve({ status: response.statusCode ?? 0, body: parse(text), retryAfter });
        });
      },
    );
    request.on('error', () => resolve(null));
    request.end(JSON.stringify(body));
  });
}

function parse(text: string): unknown {
  return text === '' ? {} : JSON.parse(text);
}
