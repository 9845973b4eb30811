import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import type { Dispatch } from 'react';
import { type DraftChange, lineOf, type PaymentDraft } from '../payment-draft.ts';
import type { DraftLine } from './draft-line.ts';
import type { Payable } from './payable.ts';

/** Props of the list, as table or as cards. */
export type PayableInvoiceListProps = {
  payables: readonly Payable[];
  /** The invoices that would be paid now. */
  selected: readonly Payable[];
  draft: PaymentDraft;
  errors: FieldErrors;
  /** False if all are at the one address that the page already names. */
  showsAddress: boolean;
  change: Dispatch<DraftChange>;
};

/** Props of one invoice's row or card. Changes elsewhere leave them identical, so that the row isn't rendered again. */
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
