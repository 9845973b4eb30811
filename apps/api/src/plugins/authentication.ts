import { ENDPOINTS } from '@brightpane/contract/endpoints';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { HttpProblem } from '../http/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user. Empty on public paths, whose routes don't use it. */
    userId: string;
    /** The user's session; empty likewise. */
    sessionId: string;
  }
}

const PUBLIC_PATHS = new Set<string>(
  Object.values(ENDPOINTS)
    .filter((endpoint) => endpoint.isPublic)
    .map((endpoint) => endpoint.path),
);

/**
 * Everything under /authentication/ is public, because it is how people get a token; other public paths match exactly.
 */
export function isPublicPath(path: string): boolean {
  return path.startsWith('/authentication/') || PUBLIC_PATHS.has(path);
}

type Bearer = { userId: string; sessionId: string } | null;

/** Requires a bearer token for every call except the public paths, so a new route is protected by default. */
export const authentication = fastifyPlugin<{
  authenticate: (token: string) => Bearer | Promise<Bearer>;
}>(async (app, { authenticate }) => {
  app.decorateRequest('userId', '');
  app.decorateRequest('sessionId', '');
  const admit = (request: FastifyRequest, bearer: Bearer) => {
    if (bearer === null) {
      throw new HttpProblem(401, 'Please sign in again.', { headers: { 'www-authenticate': 'Bearer' } });
    }
    request.userId = bearer.userId;
    request.sessionId = bearer.sessionId;
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const path = request.routeOptions.url?.slice(app.prefix.length) ?? '';
    if (isPublicPath(path)) return done();
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const bearer = token === undefined ? null : authenticate(token);
    // Mostly known at once; then no promise is needed.
    if (bearer instanceof Promise) {
      void bearer.then((found) => admit(request, found)).then(() => done(), done);
      return;
    }
    admit(request, bearer);
    done();
  });
});
