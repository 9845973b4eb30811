/** Every background task. Each looks for rows that are due, works them off and ends. */
export const TASK_NAMES = ['deliver-mail'] as const;

export type TaskName = (typeof TASK_NAMES)[number];
