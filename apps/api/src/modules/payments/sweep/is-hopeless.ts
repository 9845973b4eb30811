import type { LeasedCharge } from './leases.queries.ts';

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** From now on a person sees the charge, too. */
export const isOverdue = (seconds: number) => seconds > DAY_SECONDS;

/**
 * Whether to give the charge up to a person. After an outage of a day the first failure says little, so it is tried again
 * as often as at any other time, for the longest back-off.
 */
export const isHopeless = ({ overdueSeconds, reviewSeconds }: LeasedCharge) =>
  isOverdue(overdueSeconds) && (reviewSeconds ?? 0) >= HOUR_SECONDS;
