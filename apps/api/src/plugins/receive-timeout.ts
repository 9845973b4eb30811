import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long this route's body may take to arrive, if longer than the default. */
    receiveSeconds?: number;
  }
}

/**
 * Cuts off requests whose body arrives too slowly. Node has one limit for all routes, which must allow for the office's
 * import, so this one enforces less for every other route.
 */
export const receiveTimeout = fastifyPlugin<{ seconds: number }>(async (app, { seconds }) => {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, headers } = request;
    if (!('content-length' in headers) && !('transfer-encoding' in headers)) return done();
    const limit = request.routeOptions.config.receiveSeconds ?? seconds;
    const timer = setTimeout(() => {
      if (raw.complete) return;
      // Like Node does it, so that the answer is the same 408.
      const error = Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      app.server.emit('clientError', error, raw.socket);
    }, limit * 1000);
    reply.raw.on('close', () => clearTimeout(timer));
    done();
  });
});
