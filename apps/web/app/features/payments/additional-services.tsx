import { type Cents, ZERO } from '@brightpane/money/cents';
import { useState } from 'react';
import { FormField } from '../../ui/form-field.tsx';
import { amountText, MAX_AMOUNT_DOLLARS, readAmountText } from './amount-text.ts';

/** What a payer adds to an invoice or takes off it. */
export type ServicesDraft = { amountCents: Cents; note: string };

export const NO_SERVICES: ServicesDraft = { amountCents: ZERO, note: '' };

/** Opens to an amount and its note; removing it sets both back. */
export function AdditionalServices({
  services,
  errors = {},
  onChange,
}: {
  services: ServicesDraft;
  errors?: { amount?: string[] | undefined; note?: string[] | undefined };
  onChange: (services: ServicesDraft) => void;
}) {
  const [isOpen, setIsOpen] = useState(services.amountCents !== 0);
  const [typed, setTyped] = useState(amountText(services.amountCents));
  const hasAmount = services.amountCents !== 0;
  const shown = readAmountText(typed) === services.amountCents ? typed : amountText(services.amountCents);

  function toggle() {
    if (isOpen) {
      setTyped('');
      onChange(NO_SERVICES);
    }
    setIsOpen(!isOpen);
  }

  return (
    <div className="services">
      <button type="button" className="btn btn-outline" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? 'Remove services' : 'Add services'}
      </button>
      {isOpen && (
        <div className="services-fields">
          <FormField
            label="Additional services amount"
            type="number"
            inputMode="text"
            min={-MAX_AMOUNT_DOLLARS}
            max={MAX_AMOUNT_DOLLARS}
            step={0.01}
            prefix="$"
            optional
            placeholder="0.00"
            help="A minus takes it off the invoice."
            value={shown}
            errors={errors.amount}
            onChange={(event) => {
              setTyped(event.target.value);
              onChange({ ...services, amountCents: readAmountText(event.target.value) });
            }}
          />
          <FormField
            label="Note"
            placeholder="Note (required)"
            maxLength={500}
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
