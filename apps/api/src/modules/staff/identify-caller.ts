import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { OfficeCaller } from '../../http/office-caller.ts';
import { identifyKey } from './identify-key.ts';
import { staffProblem } from './staff.problems.ts';

const BEARER = /^Bearer +(.+)$/i;

/** By key where one is given; then a cookie is not looked at. Null without either. */
export async function identifyCaller(deps: Deps, request: FastifyRequest): Promise<OfficeCaller | null> {
  const { authorization } = request.headers;
  if (authorization === undefined) return null;
  const [, key = ''] = BEARER.exec(authorization) ?? [];
  const found = await identifyKey(deps, { key, ip: request.ip });
  if (!found.ok) throw staffProblem(found);
  return found.value;
}
