import { type Cents, ZERO } from '@brightpane/money/cents';
import type { InvoiceTotals } from '@brightpane/money/invoice-totals';
import {
  invoiceTipBase,
  isTipAboveJob,
  isTipPresetActive,
  TIP_PRESETS,
  tipFor,
  tipPercent,
} from '@brightpane/money/tips';
import { useState } from 'react';
import { FormField } from '../../ui/form-field.tsx';
import { amountText, MAX_AMOUNT_DOLLARS, readAmountText } from './amount-text.ts';

/** A tip for one invoice: 15 %, 20 % or an amount of one's own. Pressing the active preset clears it. */
export function TipSelector({
  tipCents,
  totals,
  onChange,
}: {
  tipCents: Cents;
  totals: Pick<InvoiceTotals, 'subtotalCents'>;
  onChange: (tipCents: Cents) => void;
}) {
  const base = invoiceTipBase(totals);
  const isPreset = TIP_PRESETS.some((preset) => isTipPresetActive(tipCents, base, preset));
  const [isOpen, setIsOpen] = useState(tipCents > 0 && !isPreset);
  const [typed, setTyped] = useState(amountText(tipCents));
  const isCustom = tipCents > 0 && !isPreset;
  const percent = tipPercent(tipCents, base);
  // What was typed stays as typed for as long as it means the tip; a preset writes its own amount.
  const shown = readAmountText(typed) === tipCents ? typed : amountText(tipCents);

  return (
    <fieldset className="tip">
      <legend className="form-label">Tip</legend>
      <div className="choice-row">
        {TIP_PRESETS.map((preset) => {
          const isActive = isTipPresetActive(tipCents, base, preset);
          return (
            <button
              key={preset}
              type="button"
              className="btn btn-outline"
              aria-pressed={isActive}
              disabled={base <= 0}
              onClick={() => onChange(isActive ? ZERO : tipFor(base, preset))}
            >
              {preset}%
            </button>
          );
        })}
        <button
          type="button"
          className="btn btn-outline"
          aria-pressed={isCustom}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          Custom
        </button>
      </div>
      {isOpen && (
        <FormField
          label="Custom tip amount"
          type="number"
          inputMode="decimal"
          min={0}
          max={MAX_AMOUNT_DOLLARS}
          step={0.01}
          prefix="$"
          optional
          placeholder="0.00"
          value={shown}
          help={percent === null || tipCents === 0 ? undefined : `${percent}%`}
          onChange={(event) => {
            setTyped(event.target.value);
            const amount = readAmountText(event.target.value);
            onChange(amount > 0 ? amount : ZERO);
          }}
        />
      )}
      {isTipAboveJob(tipCents, totals) && tipCents > 0 && (
        <p className="notice notice-warning" role="status">
          Thank you for your generosity! We noticed that the tip exceeds the cost of the job. Was this your
          intention?
        </p>
      )}
    </fieldset>
  );
}
