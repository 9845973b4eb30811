import { ZERO } from '@brightpane/money/cents';
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
import { type AmountDraft, AmountField } from './amount-field.tsx';

/** A tip for one invoice: 15 %, 20 % or a typed amount. Pressing the active preset clears it. */
export function TipSelector({
  tip,
  totals,
  onChange,
}: {
  tip: AmountDraft;
  totals: Pick<InvoiceTotals, 'subtotalCents'>;
  onChange: (tip: AmountDraft) => void;
}) {
  const { amountCents: tipCents, unclear } = tip;
  const base = invoiceTipBase(totals);
  const isPreset = TIP_PRESETS.some((preset) => isTipPresetActive(tipCents, base, preset));
  const [isOpen, setIsOpen] = useState(Boolean(unclear) || (tipCents > 0 && !isPreset));
  const isCustom = Boolean(unclear) || (tipCents > 0 && !isPreset);
  const percent = tipPercent(tipCents, base);

  /** Nothing shows an amount that can't be paid once its field is closed, so it is dropped. */
  function toggle() {
    if (isOpen && unclear) onChange({ amountCents: ZERO });
    setIsOpen(!isOpen);
  }

  return (
    <fieldset className="tip">
      <legend className="form-label">Tip</legend>
      <div className="choice-row">
        {TIP_PRESETS.map((preset) => {
          const isActive = !unclear && isTipPresetActive(tipCents, base, preset);
          return (
            <button
              key={preset}
              type="button"
              className="btn btn-outline"
              aria-pressed={isActive}
              disabled={base <= 0}
              onClick={() => onChange({ amountCents: isActive ? ZERO : tipFor(base, preset) })}
            >
              {`${preset}%`}
            </button>
          );
        })}
        <button
          type="button"
          className="btn btn-outline"
          aria-pressed={isCustom}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          Custom
        </button>
      </div>
      {isOpen && (
        <AmountField
          label="Custom tip amount"
          inputMode="decimal"
          min={0}
          amount={tip}
          help={percent === null || tipCents === 0 ? undefined : `${percent}%`}
          onChange={onChange}
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
