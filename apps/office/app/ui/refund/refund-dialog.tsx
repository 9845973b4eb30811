import type { Payment } from '@brightpane/contract/office/payments';
import type { RefundRequestAnswer } from '@brightpane/contract/office/refunds';
import { REFUND_REASON_WORDS } from '@brightpane/contract/office/words/refund-reasons';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { toDollars } from '@brightpane/contract/wire';
import { ZERO } from '@brightpane/money/cents';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { CancelButton } from '@brightpane/ui/page/dialog/cancel-button.tsx';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { focusSoon } from '@brightpane/ui/page/focus-soon';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { callOffice, hasCode } from '../../lib/api-client.ts';
import { ActForm, DONE } from '../act/act-form.tsx';
import { usd } from '../fields/dollars.tsx';
import { inCents } from '../fields/in-cents.ts';
import { RadioList } from '../fields/radio-list.tsx';
import { SelectField } from '../fields/select-field.tsx';
import { effectOf, followDraft, type RefundStart, readDraft, startDraft } from './refund-draft.ts';
import { RefundPreview, totalCents } from './refund-preview.tsx';
import { refusedRefund } from './refund-refusal.ts';
import {
  type Draft,
  leftCents,
  linesToSend,
  type PreviewedLine,
  previewOf,
  restsOf,
  type Shortcut,
} from './what-goes-back.ts';
import { WhatGoesBackFields } from './what-goes-back-fields.tsx';

/** The heading of a page's refunds. */
export const REFUNDS_ID = 'refunds';

const HAS_EFFECT: readonly Shortcut[] = ['whole', 'invoice', 'amount'];

const AFTERWARDS = [
  { value: 'due-again', text: 'Due again', pressed: '1' },
  { value: 'credited', text: 'Credited', pressed: '2' },
];

const REASONS = [
  { value: '', text: 'Choose a reason' },
  ...Object.entries(REFUND_REASON_WORDS).map(([value, text]) => ({ value, text })),
];

/** **Refund**: what goes back, what becomes of the invoice, and why. Previews use the server's own formula. */
export function RefundDialog({
  payment,
  start = { shortcut: 'whole' },
  isOpen,
  onClose,
}: {
  payment: Payment;
  start?: RefundStart;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title="Refund" isOpen={isOpen} onClose={onClose}>
      {isOpen && <RefundForm payment={payment} start={start} onClose={onClose} />}
    </Dialog>
  );
}

type Opened = { payment: Payment; start: RefundStart; onClose: () => void };

function RefundForm({ payment, start, onClose }: Opened) {
  const { paymentId, refundable, payer } = payment;
  const { revalidate } = useRevalidator();
  const wasRefused = useRef(false);
  // What was refused may have changed meanwhile: the dialog opens on it anew, and not on what it showed.
  useEffect(
    () => () => {
      if (wasRefused.current) void revalidate();
    },
    [revalidate],
  );
  // As it was when opened: data loaded later must not change the form under the person's hands.
  const [all] = useState(() => refundable.map(restsOf).filter((rests) => leftCents(rests) > 0));
  const [draft, setDraft] = useState<Draft>(() => startDraft(all, start));
  const [reason, setReason] = useState('');
  const [isSameAgain, setIsSameAgain] = useState(false);
  const lines = previewOf(all, draft);
  const shownCents = lines === null ? ZERO : totalCents(lines);
  const amount = usd(toDollars(shownCents));
  const needsApproval = lines !== null && isAboveLimit(lines, payment);

  async function send(form: FormData): Promise<ActionResult> {
    const note = formText(form, 'note').trim();
    const answer = await callOffice<RefundRequestAnswer>(OFFICE_ENDPOINTS.requestRefund, {
      params: { paymentId },
      body: {
        reason: formText(form, 'reason'),
        ...(note !== '' && { note }),
        ...(isSameAgain && { again: true }),
        lines: linesToSend(all, readDraft(form, draft)),
      },
      once: `refund ${paymentId}`,
      stepUp: `Request approval of a refund of ${amount}`,
    });
    if (!answer.ok) {
      wasRefused.current = answer.problem.status === 409;
      setIsSameAgain(hasCode(answer.problem, 'SameAgain'));
      return refusedRefund(answer.problem, FIELD_NAMES[draft.shortcut]);
    }
    await revalidate();
    onClose();
    // The button may be gone, so focus the list with the new refund.
    focusSoon(() => document.getElementById(REFUNDS_ID));
    return DONE;
  }

  function noteChange({ target }: FormEvent) {
    const field = target as HTMLInputElement | HTMLSelectElement;
    const { form } = field;
    if (form === null || field.name === 'note') return;
    setIsSameAgain(false);
    const data = new FormData(form);
    setReason(formText(data, 'reason'));
    setDraft((before) => followDraft(all, before, readDraft(data, before)));
  }

  return (
    <ActForm act={send} className="act-form">
      {(state) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: it hears what its fields say.
        <div className="refund-fields" onChange={noteChange} onKeyDown={pressChoice}>
          {isSameAgain && <h3>Refund it a second time?</h3>}
          <WhatGoesBackFields all={all} draft={draft} state={state} />
          <SelectField
            label="Reason"
            name="reason"
            options={REASONS}
            defaultValue=""
            required
            ref={focusFirst}
            errors={state.errors.reason}
          />
          {HAS_EFFECT.includes(draft.shortcut) &&
            (lines === null || lines.some((each) => each.needsEffect)) && (
              <RadioList
                legend="Afterwards"
                name="effect"
                choices={AFTERWARDS}
                errors={state.errors.effect}
              />
            )}
          <FormField label="Note" name="note" optional={reason !== 'other'} errors={state.errors.note} />
          {lines !== null && <RefundPreview all={all} lines={lines} effect={effectOf(draft)} />}
          {payer.refundEmail === null && (
            <p className="quiet">No address of the payer is known: nobody is told by mail.</p>
          )}
          {needsApproval && (
            <p>This is above your limit: you confirm it, and somebody else has to approve it.</p>
          )}
          <div className="button-row">
            <SubmitButton isPending={state.isPending}>
              {isSameAgain
                ? 'Refund it a second time'
                : submitWords(lines === null ? null : amount, needsApproval)}
            </SubmitButton>
            <CancelButton />
          </div>
        </div>
      )}
    </ActForm>
  );
}

/** `amount` is null until the lines have one. */
function submitWords(amount: string | null, needsApproval: boolean): string {
  if (amount === null) return 'Refund';
  return needsApproval ? `Request approval of ${amount}` : `Refund ${amount}`;
}

/** Maps the server's field names to the fields of this shortcut. */
const FIELD_NAMES: Record<Shortcut, Record<string, string>> = {
  whole: {},
  invoice: {},
  tip: { tip: 'amount' },
  services: { services: 'amount' },
  overpaid: { services: 'amount' },
  amount: {},
};

/** Whether a franchise's sum is above what the person may refund alone. */
function isAboveLimit(lines: PreviewedLine[], { refundAllowances }: Payment): boolean {
  return refundAllowances.some(({ franchiseId, left }) => {
    const own = lines.filter((line) => line.franchiseId === franchiseId);
    return totalCents(own) > inCents(left);
  });
}

/** The reason comes first; a dialog focuses the element with this attribute. */
function focusFirst(select: HTMLSelectElement | null): void {
  select?.setAttribute('autofocus', '');
}

/** A choice's number key selects it, outside of text fields. */
function pressChoice({ key, target, currentTarget, ctrlKey, metaKey, altKey }: KeyboardEvent<HTMLElement>) {
  const isText = target instanceof HTMLInputElement && target.type !== 'radio';
  if (isText || ctrlKey || metaKey || altKey || !/^\d$/.test(key)) return;
  const choice = currentTarget.querySelector<HTMLInputElement>(`[data-pressed="${key}"]`);
  choice?.focus();
  choice?.click();
}
