import { holdsCardNumber } from '@brightpane/contract/card-number';
import type { TextStore } from '@brightpane/ui/browser-storage';
import { type Dispatch, useEffect, useReducer } from 'react';
import { env } from '../../lib/env.ts';
import { userStore } from '../../lib/session/user-store.ts';
import { changeDraft, type DraftChange, NEW_DRAFT, type PaymentDraft } from './payment-draft.ts';

const KEY = 'draft';

/** The signed-in person's draft. It survives a decline, a reload, the end of the session and visits to other pages. */
export function usePaymentDraft(userId: string): [PaymentDraft, Dispatch<DraftChange>] {
  const [draft, change] = useReducer(changeDraft, userId, (id) => readDraft(userStore(id)));
  useEffect(() => keepDraft(userStore(userId), draft), [userId, draft]);
  return [draft, change];
}

/**
 * Stores the draft without card numbers typed into notes, and with the version of the terms that the page shows. Ids that
 * merely look like a card number are kept.
 */
export function keepDraft(store: TextStore, draft: PaymentDraft, termsVersion = env.termsVersion): void {
  const withoutCardNumbers = (name: string, value: unknown) =>
    name === 'note' && typeof value === 'string' && holdsCardNumber(value) ? '' : value;
  store.setItem(KEY, JSON.stringify({ ...draft, termsVersion }, withoutCardNumbers));
}

/** The stored draft; a new one if there is none or it can't be read. Other terms than it was kept with aren't accepted. */
export function readDraft(store: TextStore, termsVersion = env.termsVersion): PaymentDraft {
  try {
    const { termsVersion: accepted, ...kept } = JSON.parse(store.getItem(KEY) ?? '{}');
    return { ...NEW_DRAFT, ...kept, ...(accepted !== termsVersion && { termsAcceptedFor: null }) };
  } catch {
    return NEW_DRAFT;
  }
}
