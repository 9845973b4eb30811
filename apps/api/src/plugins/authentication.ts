import { ENDPOINTS } from '@brightpane/contract/endpoints';
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

/** Requires a bearer token for every call except the public paths, so a new route is protected by default. */
export const authentication = fastifyPlugin<{
  authenticate: (token: string) => Promise<{ userId: string; sessionId: string } | null>;
}>(async (app, { authenticate }) => {
  app.decorateRequest('userId', '');
  app.decorateRequest('sessionId', '');
  app.addHook('onRequest', async (request) => {
    const path = request.routeOptions.url?.slice(app.prefix.length) ?? '';
    if (isPublicPath(path)) return;
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const bearer = token === undefined ? null : await authenticate(token);
    if (bearer === null) {
      throw new HttpProblem(401, 'Please sign in again.', { headers: { 'www-authenticate': 'Bearer' } });
    }
    request.userId = bearer.userId;
    request.sessionId = bearer.sessionId;
  });
});
