import type { IncomingMessage } from 'node:http';
import fastifyPlugin from 'fastify-plugin';

type Options = { seconds: number; stalledSeconds: number; slowestBytesPerSecond: number };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long this route's body may take to arrive, if longer than the default. */
    receiveSeconds?: number;
  }
}

/** How often it is looked whether a body still arrives, while it may pause. */
const LOOKS = 3;

/**
 * Cuts off requests whose body takes too long, or arrives at less than `slowestBytesPerSecond` for `stalledSeconds`: others
 * may wait for what its route holds meanwhile. Node has one limit for all routes, which must allow for the office's
 * import, so this one enforces less for every other route.
 */
export const receiveTimeout = fastifyPlugin<Options>(async (app, options) => {
  const { seconds, stalledSeconds, slowestBytesPerSecond } = options;
  const leastBytes = (slowestBytesPerSecond * stalledSeconds) / LOOKS;
  // Like Node does it, so that the answer is the same 408.
  const cutOff = ({ socket }: IncomingMessage) => {
    const error = Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    app.server.emit('clientError', error, socket);
  };
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, headers } = request;
    if (!('content-length' in headers) && !('transfer-encoding' in headers)) return done();
    const limit = request.routeOptions.config.receiveSeconds ?? seconds;
    const timer = setTimeout(() => {
      if (!raw.complete) cutOff(raw);
    }, limit * 1000);
    let seen = raw.socket.bytesRead;
    let looks = 0;
    const stalls = setInterval(
      () => {
        if (raw.complete) return clearInterval(stalls);
        const { bytesRead } = raw.socket;
        // While we don't read, nothing arrives, and that is not the sender's doing.
        const isStalled = bytesRead - seen < leastBytes && raw.readableFlowing === true;
        looks = isStalled ? looks + 1 : 0;
        seen = bytesRead;
        if (looks < LOOKS) return;
        clearInterval(stalls);
        // The route hears of it at once, instead of when the sender closes its side.
        raw.socket.once('finish', () => raw.socket.destroy());
        cutOff(raw);
      },
      (stalledSeconds / LOOKS) * 1000,
    );
    reply.raw.on('close', () => {
      clearTimeout(timer);
      clearInterval(stalls);
    });
    done();
  });
});
