import type { Deps } from '../deps.ts';
import { forgetExpired } from '../modules/auth/forget-expired.ts';
import { forgetOldLimits } from '../modules/limits/forget-old-limits.ts';

/** Removes what is over and nobody will ask for again. */
export async function forgetOld(deps: Deps): Promise<void> {
  await forgetOldLimits(deps);
  await forgetExpired(deps);
}
