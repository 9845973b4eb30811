import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import fastifyPlugin from 'fastify-plugin';
import { inRequest } from '../request-context.ts';
import type { Trust } from '../trusted-proxies.ts';

const HEADER = 'x-request-id';
const USABLE = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * Uses the id that a trusted proxy gave the request, else generates one, so that strangers can't forge ids in our log.
 */
export function makeRequestId(trust: Trust): (raw: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const given = headers[HEADER];
    const isUsable = typeof given === 'string' && USABLE.test(given);
    return isUsable && trust(socket.remoteAddress ?? '', 0) ? given : randomUUID();
  };
}

/** Puts the request's id on its answer and on every log line written for it. */
export const requestId = fastifyPlugin(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(HEADER, request.id);
    inRequest(request.id, done);
  });
  // Enter the context again: the body arrives in socket events, which run outside of it.
  app.addHook('preValidation', (request, _reply, done) => inRequest(request.id, done));
});
