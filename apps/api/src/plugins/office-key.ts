import fastifyPlugin from 'fastify-plugin';
import { HttpProblem } from '../http/problem.ts';
import { isSameSecret } from './shared-secret.ts';

const BEARER = /^Bearer +(.+)$/i;

/** Every call of an office carries `Authorization: Bearer OFFICE_API_KEY`; checked before a body is read. */
export const officeKey = fastifyPlugin<{ key: string }>(async (app, { key }) => {
  app.addHook('onRequest', async (request) => {
    const [, given] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    if (given === undefined || !isSameSecret(given, key)) {
      throw new HttpProblem(401, 'This key is not known.');
    }
  });
});
