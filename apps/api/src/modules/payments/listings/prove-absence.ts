import { LISTED_WITHIN_SECONDS } from '../epoch/looks.queries.ts';

/** Two complete listings prove that something isn't there: this long apart, and begun late enough. */
export const BETWEEN_PROOFS_SECONDS = 60;

/** A charge or refund whose answer was lost, as it was leased. */
type Lost = {
  /** Seconds since its deadline; null if it has none yet. */
  overdueSeconds: number | null;
  /** Seconds since the first complete listing without it. */
  absentSeconds: number | null;
  leasedAtMilliseconds: number;
};

/** Seconds until a listing without it can count as proof; negative after that. */
export const secondsToProofs = ({ overdueSeconds }: Pick<Lost, 'overdueSeconds'>): number =>
  LISTED_WITHIN_SECONDS - (overdueSeconds ?? 0);

/** Whether a listing without it can count as proof by now. */
export const mayProve = (lost: Pick<Lost, 'overdueSeconds'>): boolean => secondsToProofs(lost) <= 0;

/** A listing without it counts as its next proof if it began after this. */
export function proofBegins(lost: Lost): number {
  const { leasedAtMilliseconds, absentSeconds } = lost;
  const first = leasedAtMilliseconds + secondsToProofs(lost) * 1000;
  if (absentSeconds === null) return first;
  return Math.max(first, leasedAtMilliseconds - (absentSeconds - BETWEEN_PROOFS_SECONDS) * 1000);
}
