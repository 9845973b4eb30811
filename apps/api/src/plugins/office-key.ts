import fastifyPlugin from 'fastify-plugin';
import { HttpProblem } from '../http/problem.ts';
import { secretCheck } from './shared-secret.ts';

const BEARER = /^Bearer +(.+)$/i;

/** Every call of an office carries `Authorization: Bearer OFFICE_API_KEY`; checked before a body is read. */
export const officeKey = fastifyPlugin<{ keys: readonly string[] }>(async (app, { keys }) => {
  const isKnown = secretCheck(keys);
  app.addHook('onRequest', async (request) => {
    const [, given] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    if (given === undefined || !isKnown(given)) {
      throw new HttpProblem(401, 'This key is not known.');
    }
  });
});
