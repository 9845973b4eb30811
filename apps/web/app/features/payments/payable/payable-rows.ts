import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import type { Dispatch } from 'react';
import { type DraftChange, lineOf, type PaymentDraft } from '../payment-draft.ts';
import type { DraftLine } from './draft-line.ts';
import type { Payable } from './payable.ts';

/** What the list is drawn from, as table or as cards. */
export type PayableInvoiceListProps = {
  payables: readonly Payable[];
  /** Those of them that would be paid now. */
  selected: readonly Payable[];
  draft: PaymentDraft;
  errors: FieldErrors;
  /** False where all are at one address, which the page names already. */
  showsAddress: boolean;
  change: Dispatch<DraftChange>;
};

/** What one invoice's row or card is drawn from. Nothing in it is made anew for a change elsewhere. */
export type PayableRowProps = {
  payable: Payable;
  line: DraftLine;
  showsAddress: boolean;
  amountErrors: string[] | undefined;
  noteErrors: string[] | undefined;
  change: Dispatch<DraftChange>;
};

export function rowsOf({
  payables,
  draft,
  errors,
  showsAddress,
  change,
}: PayableInvoiceListProps): PayableRowProps[] {
  return payables.map((payable) => ({
    payable,
    line: lineOf(draft, payable.key),
    showsAddress,
    ...errorsOf(errors, payable.key),
    change,
  }));
}

function errorsOf(errors: FieldErrors, key: string): Pick<PayableRowProps, 'amountErrors' | 'noteErrors'> {
  return { amountErrors: errors[`${key}.amount`], noteErrors: errors[`${key}.note`] };
}
