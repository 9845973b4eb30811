import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { hideUserLocation } from './locations.queries.ts';

/** Hides a location from its user, however it was linked. The three numbers restore it. */
export async function unlinkLocation(deps: Deps, at: { userId: string; locationId: number }) {
  return (await hideUserLocation(deps.db.query, at)) ? ok(undefined) : fail('not-found');
}
