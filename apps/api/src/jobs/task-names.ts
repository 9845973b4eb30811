/** Every background task. Each looks for rows that are due, works them off and ends. */
export const TASK_NAMES = [
  'deliver-mail',
  'answer-mail-requests',
  'expire-payments',
  'settle-charges',
  'find-holds',
  'check-mail',
  'check-books',
  'check-all-books',
  'compare-books',
  'compare-after-restore',
  'forget-old',
] as const;

export type TaskName = (typeof TASK_NAMES)[number];
