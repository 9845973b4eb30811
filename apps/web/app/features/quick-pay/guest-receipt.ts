import type { Cents } from '@brightpane/money/cents';

/** What the success page can say about a payment. */
export type GuestReceipt = {
  amountCents: Cents;
  reference: string;
  franchiseName: string;
  workOrderNumber: number;
  /** Where the receipt goes; `null` where none was asked for. */
  receiptEmail: string | null;
  /** Brand and last digits. */
  card: string;
};

/** What the payment was answered with, and what the billing form knows of the payer: nothing is typed again. */
export type GuestOffer = { token: string; payer: { firstName: string; lastName: string; email: string } };

/** The receipt in a page's history state, if there is one: people also arrive by a bookmark. */
export function readReceipt(state: unknown): GuestReceipt | null {
  return (state as { receipt?: GuestReceipt } | null)?.receipt ?? null;
}
