import { SCHEDULE, type ScheduledTask } from './schedule.ts';

/** What is woken when there is something to do, by each instance for itself. */
const WOKEN = [
  'expire-payments',
  'sweep-charges',
  'sweep-refunds',
  'find-holds',
  'compare-after-restore',
  'deliver-mail',
  'answer-mail-requests',
  'index-words',
] as const;

/** Every kind of background work: each has a lane of its own. */
export type TaskName = (typeof WOKEN)[number] | ScheduledTask;

export const TASK_NAMES: readonly TaskName[] = [...WOKEN, ...(Object.keys(SCHEDULE) as ScheduledTask[])];
