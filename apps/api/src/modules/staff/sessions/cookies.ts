import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../../../env.ts';
import { HttpProblem, UNREADABLE } from '../../../http/problem.ts';
import { SESSION_SECONDS } from './sessions.queries.ts';

type Settings = Pick<Env, 'OFFICE_URL'>;

const isSecure = ({ OFFICE_URL }: Settings) => OFFICE_URL.startsWith('https:');

/** Over plain http, as on a developer's machine, browsers reject cookies with the stricter name. */
const nameOf = (env: Settings) => (isSecure(env) ? '__Host-office' : 'office');

/** The cookie's value, or null. Refuses two cookies of this name: an upstream proxy may have trusted the other one. */
export function readCookie(env: Settings, { headers, cookies }: FastifyRequest): string | null {
  const name = nameOf(env);
  const given = (headers.cookie ?? '').split(';').filter((each) => each.trim().startsWith(`${name}=`));
  if (given.length > 1) throw new HttpProblem(400, UNREADABLE);
  return cookies[name] || null;
}

export function setCookie(env: Settings, reply: FastifyReply, token: string): void {
  reply.setCookie(nameOf(env), token, { ...attributes(env), maxAge: SESSION_SECONDS.full });
}

export function clearCookie(env: Settings, reply: FastifyReply): void {
  reply.clearCookie(nameOf(env), attributes(env));
}

const attributes = (env: Settings) =>
  ({ path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure(env) }) as const;
