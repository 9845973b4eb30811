/** How this emulator behaves where the provider's accounts differ, or where nobody knows. */
export interface Switches {
  /** N none, F all data, M card and amount, O card, amount, order id and source. */
  foldingMode: 'N' | 'F' | 'M' | 'O';
  foldingMinutes: number;
  /** 45 calls a minute and 5,000 a day for each path segment and client address. */
  rateLimit: boolean;
  /** Multiplies the waits of the slow test cards; 0 answers at once. */
  delayScale: number;
  /** Whether `refund` takes a sale that has not settled (otherwise error 115). */
  refundUnsettled: boolean;
  paymentKeyMinutes: number;
  /** The provider's number for a used or unknown payment key is not documented. */
  paymentKeyErrorCode: number;
  /** The zone of `created`, which carries no offset. */
  timeZone: string;
  authorizationDays: number;
  /** How long a batch stays `closing`. */
  batchCloseSeconds: number;
  /** Whether Pay.js rejects on a card error; the real one may leave its promise open for ever. */
  payJsRejects: boolean;
  /** Where events go; none are sent when empty. */
  webhookUrl: string;
  webhookKey: string;
  /** The waits between tries of one delivery. */
  webhookRetrySeconds: number[];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

function repeated(seconds: number, times: number): number[] {
  return Array.from({ length: times }, () => seconds);
}

export const DEFAULT_SWITCHES: Switches = {
  foldingMode: 'N',
  foldingMinutes: 10,
  rateLimit: false,
  delayScale: 1,
  refundUnsettled: false,
  paymentKeyMinutes: 15,
  paymentKeyErrorCode: 602,
  timeZone: 'America/Los_Angeles',
  authorizationDays: 30,
  batchCloseSeconds: 0,
  payJsRejects: false,
  webhookUrl: '',
  webhookKey: 'emulator-webhook-key',
  webhookRetrySeconds: [
    ...repeated(5 * MINUTE, 12),
    ...repeated(HOUR, 11),
    ...repeated(3 * HOUR, 4),
    ...repeated(6 * HOUR, 8),
  ],
};

/** The switches that a JSON body names, or what is wrong with it. */
export function readSwitches(body: Record<string, unknown>): Partial<Switches> | string {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const current = (DEFAULT_SWITCHES as unknown as Record<string, unknown>)[name];
    if (current === undefined) return `unknown switch ${name}`;
    if (typeof value !== typeof current || Array.isArray(value) !== Array.isArray(current))
      return `${name} takes a ${Array.isArray(current) ? 'list' : typeof current}`;
    if (name === 'foldingMode' && !['N', 'F', 'M', 'O'].includes(String(value)))
      return 'foldingMode is N, F, M or O';
    changed[name] = value;
  }
  return changed as Partial<Switches>;
}
