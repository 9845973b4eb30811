import fastifyPlugin from 'fastify-plugin';
import { secretCheck } from '../crypto/secret-check.ts';
import { HttpProblem } from '../http/problem.ts';

/** Requires `X-APISecret` on every call of the web app. Checked before the body is read, so strangers cost little. */
export const sharedSecret = fastifyPlugin<{ secrets: readonly string[] }>(async (app, { secrets }) => {
  const isKnown = secretCheck(secrets);
  app.addHook('onRequest', (request, _reply, done) => {
    const given = request.headers['x-apisecret'];
    if (typeof given !== 'string' || !isKnown(given)) {
      throw new HttpProblem(401, 'This application is not known.');
    }
    done();
  });
});
