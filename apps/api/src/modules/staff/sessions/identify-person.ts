import { isHqRole, RIGHTS_OF, type Right } from '@brightpane/contract/office-rights';
import type { FastifyRequest } from 'fastify';
import { hashToken } from '../../../crypto/hash-token.ts';
import type { Deps } from '../../../deps.ts';
import { anotherPerson } from '../../../http/office.problems.ts';
import type { StaffCaller } from '../../../http/office-caller.ts';
import { checkOrigin, isConsolesHost } from './check-origin.ts';
import { readCookie } from './cookies.ts';
import { findSession, noteSeen, type SessionFacts } from './sessions.queries.ts';

const NO_RIGHTS: ReadonlySet<Right> = new Set();

/**
 * The person of the session cookie, or null. Writes must come from the console's own pages. A page says whom it was
 * loaded for, since tabs share the cookie: nobody acts from the screen of somebody else.
 */
export async function identifyPerson(
  deps: Pick<Deps, 'db' | 'env'>,
  request: FastifyRequest,
): Promise<StaffCaller | null> {
  const token = isConsolesHost(deps.env, request) ? readCookie(deps.env, request) : null;
  const isForAnybody = request.routeOptions.config.office?.from === 'anybody';
  if (request.method !== 'GET' && request.method !== 'HEAD' && (token !== null || isForAnybody)) {
    checkOrigin(deps.env, request);
  }
  if (token === null) return null;
  const facts = await findSession(deps.db.query, hashToken(token));
  if (!facts || !mayBeIn(facts)) return null;
  const loadedFor = request.headers['x-person'];
  if (loadedFor !== undefined && loadedFor !== facts.staffId) throw anotherPerson();
  const isBackground = request.headers['x-background'] === '1';
  if (facts.isDue && !facts.isIdle && !isBackground) await noteSeen(deps.db.query, facts.id);
  return callerOf(facts);
}

/** An invited person may only enrol until they have a second factor. */
function mayBeIn({ level, state, isHeld }: SessionFacts): boolean {
  return !isHeld && (state === 'active' || (level === 'enrol' && state === 'invited'));
}

function callerOf({ id, staffId, level, role, email, isIdle, isDemo }: SessionFacts): StaffCaller {
  const isIn = level === 'full' && !isIdle;
  return {
    kind: 'staff',
    id: staffId,
    name: email,
    rights: isIn ? new Set(RIGHTS_OF[role]) : NO_RIGHTS,
    role,
    isForAll: isHqRole(role),
    session: { id, level: isIdle ? 'idle' : level, isDemo },
  };
}
