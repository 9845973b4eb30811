import { ENDPOINTS } from '@brightpane/contract/endpoints';
import fastifyPlugin from 'fastify-plugin';
import { HttpProblem } from '../http/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in. Empty on public paths, whose routes do not look at it. */
    userId: string;
    /** The session that she is signed in by; empty likewise. */
    sessionId: string;
  }
}

const PUBLIC_PATHS = new Set<string>(
  Object.values(ENDPOINTS)
    .filter((endpoint) => endpoint.isPublic)
    .map((endpoint) => endpoint.path),
);

/** Everything under /authentication/ is public, since it is how people get a token; other public paths match exactly. */
export function isPublicPath(path: string): boolean {
  return path.startsWith('/authentication/') || PUBLIC_PATHS.has(path);
}

/** Every call needs a bearer token except the public paths; a new route is protected unless it is named there. */
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
