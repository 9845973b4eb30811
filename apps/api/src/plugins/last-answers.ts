import fastifyPlugin from 'fastify-plugin';
import type { UnderWay } from '../under-way.ts';

/** Closes each connection with its answer while the instance ends, or its next request would be lost. */
export const lastAnswers = fastifyPlugin<{ underWay: UnderWay }>(async (app, { underWay }) => {
  app.addHook('onRequest', (_request, reply, done) => {
    if (underWay.isEnding()) reply.header('connection', 'close');
    done();
  });
});
