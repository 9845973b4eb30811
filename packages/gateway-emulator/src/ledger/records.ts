/** S sale, A authorization, L captured authorization, C refund, V voided, Z voided refund. */
export type TypeCode = 'S' | 'A' | 'L' | 'C' | 'V' | 'Z';

/** P held or pending settlement, S settled, V voided or released, E error, M held for a person. */
export type StatusCode = 'P' | 'S' | 'V' | 'E' | 'M';

/** A approved, P partially approved, D declined, E error, V verification required. */
export type ResultCode = 'A' | 'P' | 'D' | 'E' | 'V';

export interface Card {
  number: string;
  /** MMYY; empty if only a token was sent and it has none. */
  expiration: string;
  cardholder: string;
  avsStreet: string;
  avsZip: string;
}

export interface Transaction {
  key: string;
  refnum: string;
  merchant: string;
  command: string;
  type: TypeCode;
  /** The type before a void; an unvoid restores it. */
  typeBeforeVoid?: TypeCode;
  /** The void released the hold, so it can't be undone. */
  isReleased?: true;
  status: StatusCode;
  result: ResultCode;
  error?: string;
  errorCode?: number;
  authcode: string;
  /** The amount currently held, captured or refunded. */
  amountCents: number;
  /** How much of this transaction was refunded so far. */
  refundedCents: number;
  card: Card;
  avs: string;
  cvc: string;
  batchKey?: string;
  createdAt: number;
  expiresAt?: number;
  originalKey?: string;
  /** The clerk that a refund was sent with, even if answers don't show it. */
  sentClerk?: string;
  customerKey?: string;
  /** Merchant fields, stored as sent: orderid, invoice, addresses, line items and so on. */
  fields: Record<string, unknown>;
  /** The original answer, for replays to folded duplicates. */
  answer: Record<string, unknown>;
  foldingPrint: string;
}

/** Whether it holds, or held, money. */
export function isApproved({ result }: Pick<Transaction, 'result'>): boolean {
  return result === 'A' || result === 'P';
}

export interface Batch {
  key: string;
  batchrefnum: number;
  sequence: number;
  merchant: string;
  openedAt: number;
  status: 'open' | 'closing' | 'closed';
  closesAt?: number;
}

export interface Token {
  key: string;
  number: string;
  expiration: string;
}

export interface PaymentKey {
  key: string;
  merchant: string;
  number: string;
  expiration: string;
  /** The CVC result; the code itself is never stored. */
  cvc: string;
  mintedAt: number;
  used: boolean;
}

export interface Customer {
  key: string;
  custid: string;
  merchant: string;
  fields: Record<string, string>;
  customFields: Record<string, string | null>;
}

export interface PaymentMethod {
  key: string;
  customerKey: string;
  methodName: string;
  sortord: string;
  card: Card;
  isDefault: boolean;
  addedAt: number;
  updatedAt: number;
}

export interface Tables {
  transactions: Transaction;
  batches: Batch;
  tokens: Token;
  paymentKeys: PaymentKey;
  customers: Customer;
  paymentMethods: PaymentMethod;
}
