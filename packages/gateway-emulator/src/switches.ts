/** How this emulator behaves where the provider's accounts differ, or where nobody knows. */
export interface Switches {
  /** N none, F all data, M card and amount, O card, amount, order id and source. */
  foldingMode: 'N' | 'F' | 'M' | 'O';
  foldingMinutes: number;
  /** 45 calls a minute and 5,000 a day for each path segment and client address. */
  rateLimit: boolean;
  /** Multiplies the waits of the slow test cards; 0 answers at once. */
  delayScale: number;
  /** What `refund` does with a sale that has not settled: error 115, a refund, or a void of the whole sale. */
  refundUnsettled: 'refused' | 'approved' | 'voids';
  /** What `quickrefund` does with it: error 115, or a refund. */
  quickRefundUnsettled: 'refused' | 'approved';
  /** What the void of a settled sale is answered. */
  voidSettledCode: number;
  /** Which sales answer 118 to a release: `settled`, `captured` too, or `never`: then as a void is answered. */
  releaseRefused: 'settled' | 'captured' | 'never';
  /** Whether what stands in a closing batch shows status B; then 115 to refunds, 117 to voids. */
  showsSubmitted: boolean;
  /** Whether the answer to a refund carries `auth_amount`. */
  refundAnswersAmount: boolean;
  /** Whether folding applies to refunds too. */
  foldsRefunds: boolean;
  /** After so many days a sale takes no refund (10134); 0 is never. */
  refundDays: number;
  /** What the capture of a captured authorisation is answered: error 10124, or an approval that changes nothing. */
  secondCapture: 'refused' | 'approved';
  /** Whether a decline's text has the letter of its code: `(F51)` and `(F)`, or `(51)` and `(00)`. */
  declineLetters: boolean;
  /** The type of an authorisation that was released; a released sale is V. */
  releasedAuthorizationType: 'V' | 'A';
  /** The status of an authorisation that has run out. */
  expiredAuthorizationStatus: 'P' | 'T' | 'R' | 'V' | 'E';
  /** What a row of a list calls its time; `mixed` goes through all four, one transaction after the other. */
  rowTime: 'created' | 'datetime' | 'date' | 'none' | 'mixed';
  /** Whether a row of a list carries the fields that are not set, empty. */
  unsetFieldsInRows: boolean;
  /** Whether lists go by arrival or by the merchant's wall clock, which differ in the hour that autumn repeats. */
  listOrder: 'arrival' | 'wall-clock';
  /** Whether a refund reads back with the `clerk` and `terminal` that were sent with it. */
  echoesRefundClerk: boolean;
  /** The listing beyond so many an hour has its address cut off for an hour; 0 cuts nobody off. */
  listingsPerHour: number;
  /** Whether being cut off goes for every call with a secret key, or for listings only. */
  cutsOffEveryCall: boolean;
  paymentKeyMinutes: number;
  /** The provider's number for a used or unknown payment key is not documented. */
  paymentKeyErrorCode: number;
  /** The zone of `created`, which carries no offset. */
  timeZone: string;
  authorizationDays: number;
  /** How long a batch stays `closing`. */
  batchCloseSeconds: number;
  /** When batches close by themselves every day, as `HH:MM` in `timeZone`; empty is never. */
  batchCloseAt: string;
  /** Whether Pay.js rejects on a card error; the real one may leave its promise open for ever. */
  payJsRejects: boolean;
  /** Whether Pay.js throws on every message to the window once its frame is gone. */
  payJsThrowsWithoutFrame: boolean;
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
  refundUnsettled: 'refused',
  quickRefundUnsettled: 'refused',
  voidSettledCode: 117,
  releaseRefused: 'settled',
  showsSubmitted: false,
  refundAnswersAmount: false,
  foldsRefunds: false,
  refundDays: 0,
  secondCapture: 'refused',
  declineLetters: true,
  releasedAuthorizationType: 'V',
  expiredAuthorizationStatus: 'P',
  rowTime: 'created',
  unsetFieldsInRows: false,
  listOrder: 'arrival',
  echoesRefundClerk: false,
  listingsPerHour: 0,
  cutsOffEveryCall: false,
  paymentKeyMinutes: 15,
  paymentKeyErrorCode: 602,
  timeZone: 'America/Los_Angeles',
  authorizationDays: 30,
  batchCloseSeconds: 0,
  batchCloseAt: '',
  payJsRejects: false,
  payJsThrowsWithoutFrame: true,
  webhookUrl: '',
  webhookKey: 'emulator-webhook-key',
  webhookRetrySeconds: [
    ...repeated(5 * MINUTE, 12),
    ...repeated(HOUR, 11),
    ...repeated(3 * HOUR, 4),
    ...repeated(6 * HOUR, 8),
  ],
};

const CHOICES: Partial<Record<string, string[]>> = {
  foldingMode: ['N', 'F', 'M', 'O'],
  refundUnsettled: ['refused', 'approved', 'voids'],
  quickRefundUnsettled: ['refused', 'approved'],
  releaseRefused: ['settled', 'captured', 'never'],
  secondCapture: ['refused', 'approved'],
  releasedAuthorizationType: ['V', 'A'],
  expiredAuthorizationStatus: ['P', 'T', 'R', 'V', 'E'],
  rowTime: ['created', 'datetime', 'date', 'none', 'mixed'],
  listOrder: ['arrival', 'wall-clock'],
};

/** The switches that a JSON body names, or what is wrong with it. */
export function readSwitches(body: Record<string, unknown>): Partial<Switches> | string {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const current = (DEFAULT_SWITCHES as unknown as Record<string, unknown>)[name];
    if (current === undefined) return `unknown switch ${name}`;
    if (typeof value !== typeof current || Array.isArray(value) !== Array.isArray(current))
      return `${name} takes a ${Array.isArray(current) ? 'list' : typeof current}`;
    const choices = CHOICES[name];
    if (choices && !choices.includes(String(value))) return `${name} is one of ${choices.join(', ')}`;
    if (name === 'batchCloseAt' && !/^(|([01]\d|2[0-3]):[0-5]\d)$/.test(String(value)))
      return 'batchCloseAt is HH:MM or empty';
    changed[name] = value;
  }
  return changed as Partial<Switches>;
}
