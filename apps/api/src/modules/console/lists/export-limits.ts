import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { checkLimits, countAgainst } from '../../limits/check-limits.ts';
import { cap } from '../../limits/limit.ts';
import { tooManyAttempts } from '../../limits/limits.problems.ts';
import { exportsBusy } from './lists.problems.ts';

const EXPORTS_AN_HOUR = cap('exports in an hour', { max: 10, windowSeconds: 3_600 });
const EXPORTS_A_DAY = cap('exports in a day', { max: 50, windowSeconds: 86_400 });
/** Each has a connection of its own to the database. */
const MOST_AT_ONCE = 2;

/** Counts an export of a person or key, or refuses it. */
export async function admitExport(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  { id }: Pick<OfficeCaller, 'id'>,
): Promise<void> {
  const guards = [EXPORTS_AN_HOUR, EXPORTS_A_DAY].map((limit) => ({ limit, of: [id] }));
  const checked = await checkLimits(deps, guards);
  if (!checked.ok) throw tooManyAttempts(checked);
  await countAgainst(deps, guards);
}

let underWay = 0;

/** One of this instance's places; the result gives it back, once. */
export function takeExportPlace(): () => void {
  if (underWay >= MOST_AT_ONCE) throw exportsBusy();
  underWay++;
  let isHeld = true;
  return () => {
    if (isHeld) underWay--;
    isHeld = false;
  };
}
