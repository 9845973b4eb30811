import { ZERO } from '@brightpane/money/cents';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { useState } from 'react';
import { type AmountDraft, AmountField } from './amount-field.tsx';
import { MAX_AMOUNT_DOLLARS } from './amount-text.ts';

/** What a payer adds to an invoice or takes off it. */
export type ServicesDraft = AmountDraft & { note: string };

export const NO_SERVICES: ServicesDraft = { amountCents: ZERO, note: '' };

/** Opens to an amount and a note; removing it clears both. */
export function AdditionalServices({
  services,
  errors = {},
  onChange,
}: {
  services: ServicesDraft;
  errors?: { amount?: string[] | undefined; note?: string[] | undefined };
  onChange: (services: ServicesDraft) => void;
}) {
  const hasAmount = services.amountCents !== 0 || Boolean(services.unclear);
  const [isOpen, setIsOpen] = useState(hasAmount);

  function toggle() {
    if (isOpen) onChange(NO_SERVICES);
    setIsOpen(!isOpen);
  }

  return (
    <div className="services">
      <button type="button" className="btn btn-outline" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? 'Remove services' : 'Add services'}
      </button>
      {isOpen && (
        <div className="services-fields">
          <AmountField
            label="Additional services amount"
            inputMode="text"
            min={-MAX_AMOUNT_DOLLARS}
            help="A minus takes it off the invoice."
            amount={services}
            errors={errors.amount}
            onChange={(amount) => onChange({ ...amount, note: services.note })}
          />
          <FormField
            label="Note"
            placeholder="Note (required)"
            required={hasAmount}
            disabled={!hasAmount}
            value={services.note}
            errors={errors.note}
            onChange={(event) => onChange({ ...services, note: event.target.value })}
          />
        </div>
      )}
    </div>
  );
}
