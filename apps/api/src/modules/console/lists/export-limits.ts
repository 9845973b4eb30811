import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { createPlaces } from '../../../http/turns.ts';
import { checkLimits, countWithin, type LimitDeps } from '../../limits/check-limits.ts';
import { cap } from '../../limits/limit.ts';
import { tooManyAttempts } from '../../limits/limits.problems.ts';
import { exportsBusy } from './lists.problems.ts';

const EXPORTS_AN_HOUR = cap('exports in an hour', { max: 10, windowSeconds: 3_600 });
const EXPORTS_A_DAY = cap('exports in a day', { max: 50, windowSeconds: 86_400 });
/** Each export has its own database connection. */
const MOST_AT_ONCE = 2;

type Of = Pick<OfficeCaller, 'id'>;
const guardsOf = ({ id }: Of) => [EXPORTS_AN_HOUR, EXPORTS_A_DAY].map((limit) => ({ limit, of: [id] }));

/** Refuses a person or key that has used up its exports, before anything is opened for one. */
export async function admitExport(deps: LimitDeps, of: Of): Promise<void> {
  const checked = await checkLimits(deps, guardsOf(of));
  if (!checked.ok) throw tooManyAttempts(checked);
}

/**
 * Counts an export in the commit that allows it, or refuses it, so a refused one, such as one without a second factor,
 * costs nothing.
 */
export async function countExport(
  deps: Pick<LimitDeps, 'env' | 'clock' | 'log'>,
  tx: Queryable,
  of: Of,
): Promise<void> {
  const allowed = await countWithin({ ...deps, db: { query: tx } }, guardsOf(of));
  if (!allowed.ok) throw tooManyAttempts(allowed);
}

const places = createPlaces(MOST_AT_ONCE);

/** Takes one of this instance's places; call the result to give it back. */
export function takeExportPlace(): () => void {
  const leave = places.take();
  if (leave === null) throw exportsBusy();
  return leave;
}
