import { createHash, timingSafeEqual } from 'node:crypto';
import fastifyPlugin from 'fastify-plugin';
import { HttpProblem } from '../http/problem.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in a time that tells nothing: digests have one length whatever was sent. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

/** As `isSameSecret`, where several are good while one replaces another: each is compared, also after a match. */
export function isOneOfSecrets(given: string, expected: readonly string[]): boolean {
  return expected.filter((secret) => isSameSecret(given, secret)).length > 0;
}

/** Every call of spec section 7 carries `X-APISecret`; checked before a body is read. */
export const sharedSecret = fastifyPlugin<{ secrets: readonly string[] }>(async (app, { secrets }) => {
  app.addHook('onRequest', async (request) => {
    const given = request.headers['x-apisecret'];
    if (typeof given !== 'string' || !isOneOfSecrets(given, secrets)) {
      throw new HttpProblem(401, 'This application is not known.');
    }
  });
});
