import { formatDollars } from '@brightpane/money/cents';
import { formText } from '@brightpane/ui/forms/form-text';
import { type Draft, type Effect, keyOf, mostCents, type Rests, type Shortcut } from './what-goes-back.ts';

/** The dialog's starting point: a shortcut and its work order. */
export type RefundStart = { shortcut: Shortcut; workOrder?: string };

export const HAS_AMOUNT: readonly Shortcut[] = ['tip', 'services', 'overpaid', 'amount'];
/** What becomes of the invoice. For an overpayment there is no choice. */
export const effectOf = ({ shortcut, effect }: Draft): Effect | null =>
  shortcut === 'overpaid' ? 'due-again' : effect;

const withMost = (all: Rests[], draft: Draft): Draft => {
  const rests = all.find((each) => keyOf(each) === draft.workOrder);
  const isFree = !HAS_AMOUNT.includes(draft.shortcut) || draft.shortcut === 'amount' || !rests;
  return {
    ...draft,
    amount: isFree ? '' : formatDollars(mostCents(draft.shortcut, rests)),
    services: '',
  };
};

const firstFitting = (all: Rests[], shortcut: Shortcut): string => {
  const rests = all.find((each) => mostCents(shortcut, each) > 0);
  return rests ? keyOf(rests) : '';
};

export function startDraft(all: Rests[], { shortcut, workOrder }: RefundStart): Draft {
  const begun = workOrder ?? firstFitting(all, shortcut);
  return withMost(all, { shortcut, workOrder: begun, amount: '', services: '', effect: null });
}

/** A new shortcut or work order starts with the most that can be refunded. */
export function followDraft(all: Rests[], before: Draft, now: Draft): Draft {
  if (now.shortcut !== before.shortcut) {
    const rests = all.find((each) => keyOf(each) === before.workOrder);
    const keeps = rests !== undefined && mostCents(now.shortcut, rests) > 0;
    return withMost(all, {
      ...now,
      workOrder: keeps ? before.workOrder : firstFitting(all, now.shortcut),
    });
  }
  return now.workOrder === before.workOrder ? now : withMost(all, now);
}

export function readDraft(form: FormData, before: Draft): Draft {
  const effect = formText(form, 'effect');
  return {
    shortcut: formText(form, 'shortcut') as Shortcut,
    workOrder: form.has('workOrder') ? formText(form, 'workOrder') : before.workOrder,
    amount: formText(form, 'amount'),
    services: formText(form, 'services'),
    effect: effect === '' ? null : (effect as Effect),
  };
}
