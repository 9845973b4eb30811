import type { Days } from './read-days.ts';

/** A card's brand as a search or a filter names it. */
export const BRANDS = ['visa', 'mastercard', 'amex', 'discover'] as const;
export type Brand = (typeof BRANDS)[number];

/** One thing that a token may mean. */
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
  /** The beginnings of words of one customer, folded as these are: all of them. */
  | { kind: 'words'; words: string[] };

/** A token. What is found fits one of its readings, and one of each other token's. */
export type Term = {
  readings: Reading[];
  /** What else was typed: the search once this token is taken away. */
  without: string;
};
