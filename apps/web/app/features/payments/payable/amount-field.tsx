import { type Cents, ZERO } from '@brightpane/money/cents';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { keepEnterFromPaying } from '../keep-enter-from-paying.ts';
import {
  amountText,
  MAX_AMOUNT_DOLLARS,
  NOT_A_NUMBER,
  readAmountText,
  withoutCommas,
} from './amount-text.ts';
import { useLostComma } from './use-lost-comma.ts';

/** An amount in a draft. While `unclear` is set, the field holds no valid amount, so nothing can be paid. */
export type AmountDraft = {
  /** The last valid amount. */
  amountCents: Cents;
  /** What was typed since, if it isn't a valid amount. */
  unclear?: string | undefined;
};

/** A field for dollars. It keeps the typed text while that still means the amount, and otherwise formats the amount. */
export function AmountField({
  label,
  inputMode,
  min,
  amount: { amountCents, unclear },
  help,
  errors = [],
  onChange,
}: {
  label: string;
  inputMode: 'decimal' | 'text';
  /** In dollars. */
  min: number;
  amount: AmountDraft;
  help?: ReactNode;
  errors?: string[] | undefined;
  onChange: (amount: AmountDraft) => void;
}) {
  const [typed, setTyped] = useState(unclear || amountText(amountCents));
  const [isNumber, setIsNumber] = useState(true);
  const read = readAmountText(typed, { min });
  const shown = unclear || (read.ok && read.amountCents === amountCents ? typed : amountText(amountCents));
  const shownRead = readAmountText(shown, { min });
  const ownErrors = shownRead.ok ? (isNumber ? [] : [NOT_A_NUMBER]) : [shownRead.fault];
  // What was no number counted as 0; an amount that was set since has replaced it.
  if (!isNumber && amountCents !== ZERO) setIsNumber(true);

  const { ref, restore, forget } = useLostComma(unclear);

  function type({ target }: ChangeEvent<HTMLInputElement>) {
    const text = restore(target);
    const next = readAmountText(text, { min });
    setTyped(text);
    onChange(next.ok ? { amountCents: next.amountCents } : { amountCents, unclear: text });
  }

  return (
    <FormField
      ref={ref}
      label={label}
      type="number"
      // Part of no form: the browser's own check wouldn't send one with text that is no number, which counts as 0.
      form=""
      inputMode={inputMode}
      min={min}
      max={MAX_AMOUNT_DOLLARS}
      step={0.01}
      prefix="$"
      optional
      placeholder="0.00"
      help={help}
      value={withoutCommas(shown)}
      errors={[...ownErrors, ...errors]}
      onChange={type}
      onBlur={forget}
      onKeyDown={keepEnterFromPaying}
      // React fires no change if the value stays empty, as it does for a lone minus sign.
      onInput={({ currentTarget }) => setIsNumber(!currentTarget.validity.badInput)}
    />
  );
}
