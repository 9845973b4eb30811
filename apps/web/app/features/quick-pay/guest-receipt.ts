import type { Cents } from '@brightpane/money/cents';

/** What the success page says about a payment. */
export type GuestReceipt = {
  amountCents: Cents;
  reference: string;
  franchiseName: string;
  workOrderNumber: number;
  /** Where the receipt goes; `null` if none was requested. */
  receiptEmail: string | null;
  /** Brand and last digits. */
  card: string;
};

/** The receipt that the tab keeps; null for people who come by a bookmark. */
export function readReceipt(state: unknown): GuestReceipt | null {
  return (state as { receipt?: GuestReceipt } | null)?.receipt ?? null;
}
