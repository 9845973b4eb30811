import fastifyPlugin from 'fastify-plugin';
import type { Reporter } from './reporter.ts';

/** Traces every request, or makes it a step of the browser's trace. */
export const requestTraces = fastifyPlugin<{ reporter: Reporter }>(async (app, { reporter }) => {
  app.addHook('onRequest', (request, reply, done) => {
    reporter.beginRequest(request, reply);
    done();
  });
  // Enter the request here: the body arrives outside of the earlier hooks' context.
  app.addHook('preValidation', (request, _reply, next) => reporter.enterRequest(request, next));
});
