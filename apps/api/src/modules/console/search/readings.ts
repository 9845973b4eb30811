import type { Days } from './read-days.ts';

/** Card brands as searches and filters name them. */
export const BRANDS = ['visa', 'mastercard', 'amex', 'discover'] as const;
export type Brand = (typeof BRANDS)[number];

/** One possible meaning of a token. */
export type Reading =
  | { kind: 'email'; prefix: string }
  | { kind: 'work-order'; number: number }
  | { kind: 'last-four'; digits: string }
  | { kind: 'reference'; reference: string }
  | {
      kind: 'amount';
      way: 'exact' | 'about' | 'range';
      fromCents: number | null;
      toCents: number | null;
      shown: string;
    }
  | { kind: 'days'; days: Days }
  | { kind: 'brand'; brand: Brand }
  | { kind: 'order'; orderId: string }
  | { kind: 'payment'; paymentId: string }
  /** Folded prefixes that must all match words of one customer. */
  | { kind: 'words'; words: string[] };

/** A result must match one reading of every token. */
export type Term = {
  readings: Reading[];
  /** Of plain digits, whatever their readings: among customers, a customer's own number. */
  number?: number;
  /** The search without this token. */
  without: string;
};
