import { toDollars } from '@brightpane/contract/wire';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { useWorkOrderNames } from '../../lib/me/work-order-names.ts';
import type { ActState } from '../act/act-form.tsx';
import { usd } from '../fields/dollars.tsx';
import { RadioList } from '../fields/radio-list.tsx';
import { SelectField } from '../fields/select-field.tsx';
import { HAS_AMOUNT } from './refund-draft.ts';
import {
  type Draft,
  hasServices,
  keyOf,
  mostCents,
  type Rests,
  type Shortcut,
  shortcutsOf,
} from './what-goes-back.ts';

const SHORTCUT_WORDS: Record<Shortcut, string> = {
  whole: 'Whole payment',
  invoice: 'This invoice',
  tip: 'The tip',
  services: 'Additional services',
  overpaid: 'What is overpaid',
  amount: 'An amount',
};

/** How much of which work order, by shortcuts. */
export function WhatGoesBackFields({ all, draft, state }: { all: Rests[]; draft: Draft; state: ActState }) {
  const { shortcut, workOrder } = draft;
  const nameOf = useWorkOrderNames(all);
  const fitting = all.filter((rests) => mostCents(shortcut, rests) > 0);
  const chosen = all.find((rests) => keyOf(rests) === workOrder);
  return (
    <>
      <RadioList
        legend="What goes back"
        name="shortcut"
        choices={shortcutsOf(all).map((value) => ({ value, text: SHORTCUT_WORDS[value] }))}
        chosen={shortcut}
      />
      {all.length > 1 && shortcut !== 'whole' && (
        <SelectField
          key={`work order of ${shortcut}`}
          label="Work order"
          name="workOrder"
          options={fitting.map((rests) => ({
            value: keyOf(rests),
            text: `${nameOf(rests)}: ${usd(toDollars(mostCents(shortcut, rests)))}`,
          }))}
          defaultValue={workOrder}
        />
      )}
      {HAS_AMOUNT.includes(shortcut) && chosen && (
        <FormField
          key={`${shortcut} of ${workOrder}`}
          label="Amount"
          name="amount"
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={draft.amount}
          help={`At most ${usd(toDollars(mostCents(shortcut, chosen)))}.`}
          errors={state.errors.amount}
        />
      )}
      {shortcut === 'amount' && chosen && hasServices(chosen) && (
        <FormField
          key={`services of ${workOrder}`}
          label="Part from services"
          name="services"
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          optional
          help="If empty, services are refunded in proportion."
          errors={state.errors.services}
        />
      )}
    </>
  );
}
