import type { Invoice } from '@brightpane/contract/invoices/invoices';

/** The work that the terms are accepted for; it decides the words beside the box. */
export type WorkToAccept = 'completed' | 'upcoming' | 'both';

export function workOf(invoices: readonly Pick<Invoice, 'completedDate'>[]): WorkToAccept {
  const upcoming = invoices.filter(({ completedDate }) => completedDate === null).length;
  if (upcoming === 0) return 'completed';
  return upcoming === invoices.length ? 'upcoming' : 'both';
}

export const TERMS_LABELS: Record<WorkToAccept, string> = {
  completed: 'I accept the terms: the work was done, and my card may be charged the total shown.',
  upcoming:
    'I accept the terms: the work is still to be done, and my card may be charged the total shown before it is.',
  both: 'I accept the terms: work with a date of completion was done, work marked Upcoming is still to be done, and my card may be charged the total shown.',
};
