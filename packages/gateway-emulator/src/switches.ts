/** The emulator's behavior where the provider's accounts differ, or where nobody knows. */
export interface Switches {
  /** N none, F all data, M card and amount, O card, amount, order id and source. */
  foldingMode: 'N' | 'F' | 'M' | 'O';
  foldingMinutes: number;
  /** Limits each path segment and client address to 45 calls a minute and 5,000 a day. */
  rateLimit: boolean;
  /** Multiplies the delays of the slow test cards; 0 answers at once. */
  delayScale: number;
  /** What `refund` does with an unsettled sale: error 115, a refund, or a void of the whole sale. */
  refundUnsettled: 'refused' | 'approved' | 'voids';
  /** What `quickrefund` does with it: error 115 or a refund. */
  quickRefundUnsettled: 'refused' | 'approved';
  /** The error code when a settled sale is voided. */
  voidSettledCode: number;
  /**
   * What refuses a release with 118: `settled` sales, also `captured` ones, `always` (authorizations too), or `never` (all
   * answer as to a void).
   */
  releaseRefused: 'settled' | 'captured' | 'always' | 'never';
  /** The error code when an expired authorization is voided or released; 0 voids it. */
  voidExpiredCode: number;
  /** Whether transactions in a closing batch show status B; refunds then get 115, voids 117. */
  showsSubmitted: boolean;
  /** Whether a refund's answer has `auth_amount`. */
  refundAnswersAmount: boolean;
  /** Whether folding applies to refunds too. */
  foldsRefunds: boolean;
  /** The days after which a sale can't be refunded (10134); 0 means never. */
  refundDays: number;
  /** The answer to a second capture: error 10124, or an approval that changes nothing. */
  secondCapture: 'refused' | 'approved';
  /** The result of the address check of a charge without street and zip code; empty means the card's own. */
  avsWithoutAddress: string;
  /** Whether a decline's text has the letter of its code: `(F51)` and `(F)`, or `(51)` and `(00)`. */
  declineLetters: boolean;
  /** The type of a released authorization; a released sale is V. */
  releasedAuthorizationType: 'V' | 'A';
  /** The status of an expired authorization. */
  expiredAuthorizationStatus: 'P' | 'T' | 'R' | 'V' | 'E';
  /** The name of a listed row's time; `mixed` cycles through all four from one transaction to the next. */
  rowTime: 'created' | 'datetime' | 'date' | 'none' | 'mixed';
  /** Whether listed rows include unset fields, empty. */
  unsetFieldsInRows: boolean;
  /** Whether lists go by arrival or by the merchant's local time, which differ in autumn's repeated hour. */
  listOrder: 'arrival' | 'wall-clock';
  /** Whether a refund shows the `clerk` and `terminal` that were sent with it. */
  echoesRefundClerk: boolean;
  /** The listings per hour above which an address is cut off for an hour; 0 disables it. */
  listingsPerHour: number;
  /** Whether a cut-off address loses every call with a secret key, or only listings. */
  cutsOffEveryCall: boolean;
  /** The failed sign-ins per hour above which an address is locked out for an hour; 0 disables it. */
  failedSignInsPerHour: number;
  paymentKeyMinutes: number;
  /** The provider doesn't document its code for a used or unknown payment key. */
  paymentKeyErrorCode: number;
  /** The zone of `created`, which has no offset. */
  timeZone: string;
  authorizationDays: number;
  /** How long a batch stays `closing`. */
  batchCloseSeconds: number;
  /** When batches close by themselves each day, as `HH:MM` in `timeZone`; empty means never. */
  batchCloseAt: string;
  /** Whether Pay.js rejects on a card error; the real one may leave its promise open forever. */
  payJsRejects: boolean;
  /** Whether Pay.js throws on every window message once its frame is gone. */
  payJsThrowsWithoutFrame: boolean;
  /** Where events are sent; empty disables them. */
  webhookUrl: string;
  webhookKey: string;
  /** The delays between attempts of one delivery. */
  webhookRetrySeconds: number[];
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

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
  voidExpiredCode: 0,
  showsSubmitted: false,
  refundAnswersAmount: false,
  foldsRefunds: false,
  refundDays: 0,
  secondCapture: 'refused',
  avsWithoutAddress: '',
  declineLetters: true,
  releasedAuthorizationType: 'V',
  expiredAuthorizationStatus: 'P',
  rowTime: 'created',
  unsetFieldsInRows: false,
  listOrder: 'arrival',
  echoesRefundClerk: false,
  listingsPerHour: 0,
  cutsOffEveryCall: false,
  failedSignInsPerHour: 0,
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
    ...repeated(5 * MINUTE_SECONDS, 12),
    ...repeated(HOUR_SECONDS, 11),
    ...repeated(3 * HOUR_SECONDS, 4),
    ...repeated(6 * HOUR_SECONDS, 8),
  ],
};

const CHOICES: Partial<Record<string, string[]>> = {
  foldingMode: ['N', 'F', 'M', 'O'],
  refundUnsettled: ['refused', 'approved', 'voids'],
  quickRefundUnsettled: ['refused', 'approved'],
  releaseRefused: ['settled', 'captured', 'always', 'never'],
  secondCapture: ['refused', 'approved'],
  releasedAuthorizationType: ['V', 'A'],
  expiredAuthorizationStatus: ['P', 'T', 'R', 'V', 'E'],
  rowTime: ['created', 'datetime', 'date', 'none', 'mixed'],
  listOrder: ['arrival', 'wall-clock'],
};

/** Parses switches from a JSON body; returns a message if one is invalid. */
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
