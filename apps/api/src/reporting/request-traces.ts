import fastifyPlugin from 'fastify-plugin';
import type { Reporter } from './reporter.ts';

/** Every request is a trace, or a step of the browser's. */
export const requestTraces = fastifyPlugin<{ reporter: Reporter }>(async (app, { reporter }) => {
  app.addHook('onRequest', async (request, reply) => reporter.beginRequest(request, reply));
  // A body arrives outside of what the hooks before it ran in, so the request is entered after it.
  app.addHook('preValidation', (request, _reply, next) => reporter.enterRequest(request, next));
});
