import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { OfficeCaller } from '../../http/office-caller.ts';
import { identifyKey } from './keys/identify-key.ts';
import { identifyPerson } from './sessions/identify-person.ts';
import { signInProblem } from './staff.problems.ts';

const BEARER = /^Bearer +(.+)$/i;

/** Identifies by API key if one is given, ignoring any cookie; else by cookie. Null without either. */
export async function identifyCaller(deps: Deps, request: FastifyRequest): Promise<OfficeCaller | null> {
  const { authorization } = request.headers;
  if (authorization === undefined) return identifyPerson(deps, request);
  const [, key = ''] = BEARER.exec(authorization) ?? [];
  const found = await identifyKey(deps, { key, ip: request.ip });
  if (!found.ok) throw signInProblem(found);
  return found.value;
}
