import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { countWithin } from '../../limits/check-limits.ts';
import { cap } from '../../limits/limit.ts';
import { tooManyAttempts } from '../../limits/limits.problems.ts';

const LISTS_A_MINUTE = cap('lists in a minute', { max: 120, windowSeconds: 60 });
const LISTS_AN_HOUR = cap('lists in an hour', { max: 3_000, windowSeconds: 3_600 });

/** Counts a person's search or list, or refuses it. Programs aren't limited. */
export async function admitList(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  { kind, id }: Pick<OfficeCaller, 'kind' | 'id'>,
): Promise<void> {
  if (kind === 'key') return;
  const guards = [LISTS_A_MINUTE, LISTS_AN_HOUR].map((limit) => ({ limit, of: [id] }));
  await deps.db.transaction(async (tx) => {
    const allowed = await countWithin({ ...deps, db: { query: tx } }, guards);
    if (!allowed.ok) throw tooManyAttempts(allowed);
  });
}
