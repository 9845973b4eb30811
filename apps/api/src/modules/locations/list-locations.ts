import type { Location } from '@brightpane/contract/customers/locations';
import type { Deps } from '../../deps.ts';
import { selectLocations } from './locations.queries.ts';

export function listLocations(deps: Deps, { userId }: { userId: string }): Promise<Location[]> {
  return selectLocations(deps.db.query, { userId, askAgainSince: deps.env.TERMS_ASK_AGAIN_SINCE });
}
