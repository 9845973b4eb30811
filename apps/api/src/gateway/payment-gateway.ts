import type { Cents } from '@brightpane/money/cents';

/** The card provider, as one merchant account sees it. Every call is made once: repeating is the caller's decision. */
export type PaymentGateway = {
  /** Asks for a hold. Never call it twice for one order id. */
  authorise(request: AuthoriseRequest): Promise<AuthoriseOutcome>;
  capture(hold: { transactionKey: string; amountCents: Cents }): Promise<CaptureOutcome>;
  /** Voids a transaction and gives its hold back. Its answer proves nothing: `find` does. */
  release(hold: { transactionKey: string }): Promise<Sent>;
  /** Voids a whole sale that has not settled, with `releases` by giving its hold back. Only `find` proves it. */
  void(sale: { transactionKey: string; releases: boolean } & CallTime): Promise<VoidOutcome>;
  /** Gives back money of a settled sale, under a key of its own. Only `find` proves it; twice is twice the money. */
  refund(
    sale: { transactionKey: string; amountCents: Cents; clerk: string } & CallTime,
  ): Promise<RefundOutcome>;
  find(transaction: { transactionKey: string }): Promise<FindOutcome>;
  /** One page of everything on the account, newest first. The provider filters by nothing. */
  list(page: { offset: number; limit: number }): Promise<ListOutcome>;
  /** A token for the card of a transaction, where its own answer carried none. */
  makeCardToken(transaction: { transactionKey: string }): Promise<string | null>;
};

/** What asks for a hold: a one-time key from the browser, or the token of a saved card. */
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

export type AuthoriseRequest = {
  orderId: string;
  amountCents: Cents;
  card: CardSource;
  billing: BillingAddress;
  /** At most ten characters. */
  invoice?: string | undefined;
  description: string;
  saveCard?: boolean | undefined;
} & CallTime;

export type CallTime = {
  /** For the whole call, connecting included. Asked again right before the first byte: a process may have slept. */
  millisecondsLeft: () => number;
  /** Called when the socket is open and nothing is written, and when everything is written. */
  onProgress?: ((step: 'connected' | 'written') => void) | undefined;
};

export type SavedCard = { token: string; expiresMonth: string | null };

/** What an answer to an authorisation proves. */
export type AuthoriseOutcome =
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
  /** Folded into another transaction: whose it is, only the order id can tell. */
  | { kind: 'duplicate' }
  | { kind: 'unknown' };

export type CaptureOutcome =
  /** Our transaction, for the whole amount. An approval of anything else is `unknown`: only `find` can tell. */
  | { kind: 'captured' }
  /** One of the answers that say the hold cannot be captured, if they come twice. */
  | { kind: 'impossible'; errorCode: number }
  | { kind: 'not-executed'; status: 401 | 403 | 404 | 429 }
  | { kind: 'unknown' };

/** A call whose effect is read back afterwards. */
export type Sent =
  | { kind: 'answered' }
  | { kind: 'not-executed'; status: 401 | 403 | 404 | 429 }
  | { kind: 'unknown' };

/** What proves that a void or a refund did nothing, because nobody looked at it. */
export type NotDone =
  /** No byte of the request left this machine. */
  | { kind: 'not-sent' }
  | { kind: 'not-executed'; status: 401 | 403 | 429 }
  /** The account's keys may not do this. */
  | { kind: 'not-allowed'; errorCode: 80 | 84 };

export type VoidOutcome =
  | NotDone
  /** The batch is closing or closed: nothing was voided. */
  | { kind: 'too-late'; errorCode: 26 | 101 | 103 | 117 }
  /** The hold cannot be given back: it has settled, or the account does not do that with a capture. */
  | { kind: 'not-releasable' }
  | { kind: 'answered' }
  | { kind: 'unknown' };

export type RefundOutcome =
  | NotDone
  /** The sale has not settled: nothing was refunded. */
  | { kind: 'unsettled' }
  | { kind: 'approved'; transactionKey: string; reference: string; batchKey: string | null }
  | { kind: 'refused'; sentence: string }
  | { kind: 'unknown' };

/** Where a transaction stands by the provider's own records. */
export type HoldState =
  | 'held'
  | 'captured'
  | 'settled'
  | 'voided'
  /** Declined or in error: nothing was ever held. */
  | 'none'
  | 'other';

export type TransactionRecord = {
  transactionKey: string;
  reference: string;
  orderId: string;
  state: HoldState;
  amountCents: Cents;
  /**
   * The merchant's wall clock without a zone, read as if it were UTC: good to within fourteen hours, and an hour comes
   * twice in autumn. `null` where the row carries no time, which says nothing about its age.
   */
  createdAt: Date | null;
  isRefund: boolean;
  /** The provider's own codes; the status is empty where the row has none. */
  type: string;
  status: string;
  result: string;
  /** Who asked for a refund, where the provider repeats it: for people, and proof of nothing. */
  clerk: string;
  batchKey: string | null;
  /** What we wrote on it when we asked for it. */
  description: string;
};

export type FindOutcome =
  | { kind: 'found'; transaction: TransactionRecord }
  | { kind: 'not-found' }
  | { kind: 'not-executed'; status: 401 | 403 | 429 }
  | { kind: 'unknown' };

/** A row that leaves out something we go by: `find` may show the rest. */
export type PartialRow = { transactionKey: string; orderId: string };

export type ListOutcome =
  | {
      kind: 'page';
      rows: TransactionRecord[];
      partial: PartialRow[];
      /** Of the whole list. */
      total: number;
      /** How many rows the provider puts on a page; it may be fewer than were asked for. */
      limit: number;
    }
  | { kind: 'not-executed'; status: 401 | 403 | 429 }
  /** No connection: after frequent listing the provider refuses an address for about an hour. */
  | { kind: 'not-sent' }
  | { kind: 'unknown' };

/** The keys of a merchant account, in the clear. `id` is our row. */
export type MerchantKeys = {
  id: number;
  apiKey: string;
  pin: string;
  /** None of our data keys opens them: every call answers as if the provider refused them. */
  isUnreadable?: true;
};

/** The provider as all merchant accounts see it, with what this instance remembers of each. */
export type Gateways = {
  of(account: MerchantKeys): PaymentGateway;
  /** Lets a payment through to an account, or does not while the provider is failing. Leave when it is done. */
  admit(accountId: number): { leave(): void } | null;
};
