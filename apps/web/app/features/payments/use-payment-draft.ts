import { holdsCardNumber } from '@brightpane/contract/card-number';
import type { TextStore } from '@brightpane/ui/browser-storage';
import { type Dispatch, useEffect, useReducer } from 'react';
import { userStore } from '../../lib/session/user-store.ts';
import { changeDraft, type DraftChange, NEW_DRAFT, type PaymentDraft } from './payment-draft.ts';

const KEY = 'draft';

/** The signed-in person's draft. It survives a decline, a reload, the end of the session and visits to other pages. */
export function usePaymentDraft(userId: string): [PaymentDraft, Dispatch<DraftChange>] {
  const [draft, change] = useReducer(changeDraft, userId, (id) => readDraft(userStore(id)));
  useEffect(() => keepDraft(userStore(userId), draft), [userId, draft]);
  return [draft, change];
}

/** Stores the draft without card numbers typed into notes. Ids that merely look like one are kept. */
export function keepDraft(store: TextStore, draft: PaymentDraft): void {
  const withoutCardNumbers = (name: string, value: unknown) =>
    name === 'note' && typeof value === 'string' && holdsCardNumber(value) ? '' : value;
  store.setItem(KEY, JSON.stringify(draft, withoutCardNumbers));
}

/** The stored draft; a new one if there is none or it can't be read. */
export function readDraft(store: TextStore): PaymentDraft {
  try {
    return { ...NEW_DRAFT, ...JSON.parse(store.getItem(KEY) ?? '{}') };
  } catch {
    return NEW_DRAFT;
  }
}
