import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long the body of this route may take to arrive, where that is longer than for the others. */
    receiveSeconds?: number;
  }
}

/**
 * Cuts off requests whose body does not arrive in time. Node's own limit is one for all routes, and the office's import
 * may take minutes; so that is what Node is told, and everything else is held to less here.
 */
export const receiveTimeout = fastifyPlugin<{ seconds: number }>(async (app, { seconds }) => {
  app.addHook('onRequest', async (request, reply) => {
    const { raw, headers } = request;
    if (!('content-length' in headers) && !('transfer-encoding' in headers)) return;
    const limit = request.routeOptions.config.receiveSeconds ?? seconds;
    const timer = setTimeout(() => {
      if (raw.complete) return;
      // As Node does it, so that the answer is the same 408.
      const error = Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      app.server.emit('clientError', error, raw.socket);
    }, limit * 1000);
    reply.raw.once('close', () => clearTimeout(timer));
  });
});
