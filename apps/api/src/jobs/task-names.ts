import { SCHEDULE, type ScheduledTask } from './schedule.ts';

/** Tasks that each instance runs whenever it is woken by new work. */
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

/** All kinds of background work; each has its own lane. */
export type TaskName = (typeof WOKEN)[number] | ScheduledTask;

export const TASK_NAMES: readonly TaskName[] = [...WOKEN, ...(Object.keys(SCHEDULE) as ScheduledTask[])];
