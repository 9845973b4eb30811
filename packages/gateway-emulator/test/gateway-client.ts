import { createHash, randomBytes } from 'node:crypto';

/** Loose enough for any assertion; missing fields are undefined. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever came over the wire
export type Answer = any;

interface Credentials {
  apiKey: string;
  pin: string;
  publicKey: string;
}

export interface Reply {
  status: number;
  headers: Headers;
  body: Answer;
}

/** A client written only from the reference; it shares no code with the emulator. */
export class GatewayClient {
  readonly url: string;
  readonly #credentials: Credentials;

  constructor(url: string, credentials: Credentials) {
    this.url = url;
    this.#credentials = credentials;
  }

  /** The client of a merchant, by its name in the emulator. */
  static async of(url: string, name = 'portal'): Promise<GatewayClient> {
    const response = await fetch(`${url}/_emulator/merchants`);
    const merchants = (await response.json()) as (Credentials & { name: string })[];
    const merchant = merchants.find((candidate) => candidate.name === name);
    if (!merchant) throw new Error(`the emulator has no merchant ${name}`);
    return new GatewayClient(url, merchant);
  }

  authorization(seed = randomBytes(16).toString('hex')): string {
    const { apiKey, pin } = this.#credentials;
    const hash = createHash('sha256').update(`${apiKey}${seed}${pin}`).digest('hex');
    return `Basic ${Buffer.from(`${apiKey}:s2/${seed}/${hash}`).toString('base64')}`;
  }

  publicAuthorization(): string {
    return `Basic ${Buffer.from(`${this.#credentials.publicKey}:s2//`).toString('base64')}`;
  }

  /** A call below `/api/v2`, signed with the secret key by default. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const response = await fetch(`${this.url}/api/v2${path}`, {
      method,
      headers: { authorization: this.authorization(), 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  async get(path: string): Promise<Answer> {
    return (await this.call('GET', path)).body;
  }

  /** POST /transactions. */
  async run(command: string, fields: Record<string, unknown> = {}): Promise<Answer> {
    return (await this.call('POST', '/transactions', { command, ...fields })).body;
  }

  async paymentKey(number = CARD, cvc = '123'): Promise<string> {
    const creditcard = { number, expiration: '1230', cvc };
    const headers = { authorization: this.publicAuthorization() };
    const { body } = await this.call('POST', '/pub/payment_keys', { creditcard }, headers);
    return body.key;
  }
}

/** A card that is always approved. */
export const CARD = '4000100011112224';

export function card(number = CARD, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { creditcard: { number, expiration: '1230', cvc: '123', ...more } };
}

/** A control call of the emulator. */
export async function control(url: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${url}/_emulator/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}
