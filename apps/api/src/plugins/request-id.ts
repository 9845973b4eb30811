import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import fastifyPlugin from 'fastify-plugin';
import { inRequest } from '../request-context.ts';
import type { Trust } from '../trusted-proxies.ts';

const HEADER = 'x-request-id';
const USABLE = /^[A-Za-z0-9._-]{8,64}$/;

/** The id that a proxy of ours has given a request, else one of our own: nobody else names lines of our log. */
export function makeRequestId(trust: Trust): (raw: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const given = headers[HEADER];
    const isUsable = typeof given === 'string' && USABLE.test(given);
    return isUsable && trust(socket.remoteAddress ?? '', 0) ? given : randomUUID();
  };
}

/** Every answer carries its request's id, and so does every line of the log that is written on its behalf. */
export const requestId = fastifyPlugin(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(HEADER, request.id);
    inRequest(request.id, done);
  });
  // The body arrives in the events of the socket, which know no request.
  app.addHook('preValidation', (request, _reply, done) => inRequest(request.id, done));
});
