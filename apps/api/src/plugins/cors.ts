import fastifyPlugin from 'fastify-plugin';

const METHODS = 'GET, POST, PUT, DELETE';
const REQUEST_HEADERS = 'authorization, content-type, x-apisecret, idempotency-key, if-match, terms-version';
const ANSWER_HEADERS = 'idempotency-replayed, retry-after';
const PREFLIGHT_SECONDS = 600;

/** Lets pages of exactly the listed origins call the API. Never allows credentials, as there are no cookies. */
export const cors = fastifyPlugin<{ origins: string[] }>(async (app, { origins }) => {
  const allowed = new Set(origins);
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith('/api/')) return done();
    const { origin, 'access-control-request-method': wanted } = request.headers;
    reply.header('vary', 'origin');
    const isAllowed = origin !== undefined && allowed.has(origin);
    if (isAllowed) {
      reply.headers({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': ANSWER_HEADERS,
      });
    }
    if (request.method !== 'OPTIONS' || wanted === undefined) return done();
    if (isAllowed) {
      reply.headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': String(PREFLIGHT_SECONDS),
      });
    }
    reply.code(204).send();
  });
});
