import type { Cents } from '@brightpane/money/cents';

/** The card provider for one merchant account. Makes every call once; retrying is the caller's decision. */
export type PaymentGateway = {
  /** Asks for a hold. Never call it twice for one order id. */
  authorize(request: AuthorizeRequest): Promise<AuthorizeOutcome>;
  capture(
    hold: { transactionKey: string; amountCents: Cents } & Partial<Pick<CallTime, 'millisecondsLeft'>>,
  ): Promise<CaptureOutcome>;
  /** Voids a transaction and releases its hold. Only `find` proves it, not the answer. */
  release(hold: { transactionKey: string } & CallTime): Promise<VoidOutcome>;
  /** Voids a whole unsettled sale, with `releases` by giving its hold back. Only `find` proves it. */
  void(sale: { transactionKey: string; releases: boolean } & CallTime): Promise<VoidOutcome>;
  /**
   * Refunds money of a settled sale, under its own key. Not idempotent: calling it twice refunds
   * twice. Only `find` proves it.
   */
  refund(
    sale: { transactionKey: string; amountCents: Cents; clerk: string } & CallTime,
  ): Promise<RefundOutcome>;
  find(transaction: { transactionKey: string }): Promise<FindOutcome>;
  /** One page of everything on the account, newest first. The provider offers no filter. */
  list(page: { offset: number; limit: number }): Promise<ListOutcome>;
  /** Gets a card token for a transaction whose answer carried none. */
  makeCardToken(transaction: { transactionKey: string } & CallTime): Promise<string | null>;
};

/** What a hold is requested with: a one-time key from the browser, or a saved card's token. */
export type CardSource = { paymentKey: string } | { cardToken: string };

export type BillingAddress = {
  firstName?: string | undefined;
  lastName?: string | undefined;
  street?: string | undefined;
  street2?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  postalCode?: string | undefined;
  phone?: string | undefined;
};

/** Of a description, as it is sent and as it is read back: a restore finds out from it what was paid. */
export const LONGEST_DESCRIPTION = 1000;

export type AuthorizeRequest = {
  orderId: string;
  amountCents: Cents;
  card: CardSource;
  billing: BillingAddress;
  /** At most ten characters. */
  invoice?: string | undefined;
  /** At most `LONGEST_DESCRIPTION` characters. */
  description: string;
  saveCard?: boolean | undefined;
} & CallTime;

export type CallTime = {
  /**
   * For the whole call, connecting included. Checked again right before the first byte, as the process may have slept.
   */
  millisecondsLeft: () => number;
  /** Called when the socket is open but nothing is written, and when everything is written. */
  onProgress?: ((step: 'connected' | 'written') => void) | undefined;
};

export type SavedCard = { token: string; expiresMonth: string | null };

/** What an answer to an authorization proves. */
export type AuthorizeOutcome =
  /** No byte of the request left this machine. */
  | { kind: 'not-sent' }
  /** The provider said that it did nothing. */
  | { kind: 'not-executed'; status: 401 | 403 | 429 }
  | {
      kind: 'approved';
      transactionKey: string;
      reference: string;
      maskedCard: string;
      cardBrand: string;
      savedCard: SavedCard | null;
    }
  | { kind: 'declined'; sentence: string }
  | { kind: 'hold-possible'; reason: 'not-in-full' | 'verification' }
  /** Folded into another transaction; only the order id tells whose it is. */
  | { kind: 'duplicate' }
  /** `isNotAllowed`: the provider says that the account's keys lack the permission. */
  | { kind: 'unknown'; isNotAllowed?: true };

export type CaptureOutcome =
  /** Our transaction, for the whole amount. */
  | { kind: 'captured' }
  /** The provider answered, but only `find` can tell what happened: a refusal, or an approval of anything else. */
  | { kind: 'unclear' }
  /** The account's keys lack the permission. */
  | { kind: 'not-allowed'; errorCode: number }
  /** An answer that, given twice, means the hold can't be captured. `errorCode`, here and below, is the provider's. */
  | { kind: 'impossible'; errorCode: number }
  | { kind: 'not-executed'; status: 401 | 403 | 404 | 429 }
  | { kind: 'unknown' };

/** Answers that prove a void or refund did nothing, because nothing processed it. */
export type NotDone =
  /** No byte of the request left this machine. */
  | { kind: 'not-sent' }
  | { kind: 'not-executed'; status: 401 | 403 | 429 }
  /** The account's keys lack the permission. */
  | { kind: 'not-allowed'; errorCode: number };

export type VoidOutcome =
  | NotDone
  /** The batch is closing or closed: nothing was voided. */
  | { kind: 'too-late'; errorCode: number }
  /** The hold can't be released: the sale has settled, or the account doesn't support it. */
  | { kind: 'not-releasable' }
  | { kind: 'answered' }
  | { kind: 'unknown' };

export type RefundOutcome =
  | NotDone
  /** The sale has not settled: nothing was refunded. */
  | { kind: 'unsettled' }
  /** Only the record of this key tells how much went back. */
  | { kind: 'approved'; transactionKey: string; reference: string; batchKey: string | null }
  | { kind: 'refused'; sentence: string }
  | { kind: 'unknown' };

/** A transaction's state by the provider's own records. */
export type HoldState =
  | 'held'
  | 'captured'
  | 'settled'
  | 'voided'
  /** Declined or failed: nothing was ever held. */
  | 'none'
  | 'other';

export const isPaidThere = ({ state }: { state: HoldState }): boolean =>
  state === 'captured' || state === 'settled';

/** Holds money, or may: nothing tells what `other` is. */
export const mayHold = ({ state }: { state: HoldState }): boolean => state === 'held' || state === 'other';

export type TransactionRecord = {
  transactionKey: string;
  reference: string;
  orderId: string;
  state: HoldState;
  amountCents: Cents;
  /**
   * The merchant's wall clock without a zone, read as if it were UTC: accurate to fourteen hours, and one hour occurs
   * twice in autumn. `null` if the row has no time, which says nothing about its age.
   */
  createdAt: Date | null;
  isRefund: boolean;
  /** The provider's own codes; the status is empty if the row has none. */
  type: string;
  status: string;
  result: string;
  /** Who requested a refund, if the provider repeats it. For people; proves nothing. */
  clerk: string;
  batchKey: string | null;
  /** The description that we sent with the request. */
  description: string;
};

export type FindOutcome =
  | { kind: 'found'; transaction: TransactionRecord }
  | { kind: 'not-found' }
  | { kind: 'not-executed'; status: 401 | 403 | 429 }
  | { kind: 'unknown' };

/** A row that lacks something we need; `find` may return the rest. */
export type PartialRow = { transactionKey: string; orderId: string };

export type ListOutcome =
  | {
      kind: 'page';
      rows: TransactionRecord[];
      partial: PartialRow[];
      /** Of the whole list. */
      total: number;
      /** The provider's page size, which may be smaller than requested. */
      limit: number;
    }
  | { kind: 'not-executed'; status: 401 | 403 | 429 }
  /** No connection: after frequent listing the provider blocks an address for about an hour. */
  | { kind: 'not-sent' }
  | { kind: 'unknown' };

/** A merchant account's decrypted keys. `id` is our row. */
export type MerchantKeys = {
  id: number;
  apiKey: string;
  pin: string;
  /** None of our data keys opens them, so every call answers as if the provider refused them. */
  isUnreadable?: true;
  /** No account has them yet; they are used once. */
  isTested?: true;
};

/** The provider for all merchant accounts, with this instance's breakers. */
export type Gateways = {
  of(account: MerchantKeys): PaymentGateway;
  /** Admits a payment to an account, unless the provider is failing. Call `leave` when it is done. */
  admit(accountId: number): { leave(): void } | null;
};
