import type { Dispatch } from 'react';
import type { FieldErrors } from '../../lib/action-result.ts';
import type { Payable } from './payable.ts';
import type { PayableInvoiceListProps } from './payable-invoice-list.tsx';
import { type DraftChange, type DraftLine, lineOf } from './payment-draft.ts';

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
