import { hash, timingSafeEqual } from 'node:crypto';
import fastifyPlugin from 'fastify-plugin';
import { HttpProblem } from '../http/problem.ts';

const digest = (text: string) => hash('sha256', text, 'buffer');

/**
 * Tells whether what is given is one of these secrets: there are several while one replaces another. How long it takes says
 * nothing: digests have one length whatever was sent, and each is compared, also after a match.
 */
export function secretCheck(secrets: readonly string[]): (given: string) => boolean {
  const expected = secrets.map(digest);
  return (given) => {
    const sent = digest(given);
    return expected.filter((each) => timingSafeEqual(sent, each)).length > 0;
  };
}

/** Every call of the web app carries `X-APISecret`. Checked before the body is read, so strangers cost little. */
export const sharedSecret = fastifyPlugin<{ secrets: readonly string[] }>(async (app, { secrets }) => {
  const isKnown = secretCheck(secrets);
  app.addHook('onRequest', async (request) => {
    const given = request.headers['x-apisecret'];
    if (typeof given !== 'string' || !isKnown(given)) {
      throw new HttpProblem(401, 'This application is not known.');
    }
  });
});
