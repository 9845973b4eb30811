import { currentRequest } from '../request-context.ts';

/** Who does something: staff or a key by its id, or the portal itself. */
export type Actor = { id: string | null; name: string };

export const PORTAL: Actor = { id: null, name: 'portal' };

/** Of a row of the audit: who did it, and in which request. */
export function auditColumns({ id, name }: Actor) {
  return { actor: name, actorId: id, requestId: currentRequest()?.requestId ?? null };
}
