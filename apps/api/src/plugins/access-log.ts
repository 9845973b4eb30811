import { createHmac } from 'node:crypto';
import fastifyPlugin from 'fastify-plugin';
import { deriveKey } from '../crypto/derive-key.ts';
import type { Deps } from '../deps.ts';
import { keepResults } from '../keep-results.ts';
import { clientAddress } from '../modules/limits/client-address.ts';

/** As proxies write it: whoever asked has left before the answer. */
const LEFT = 499;
const WRITTEN_AT = ['info', 'debug', 'trace'];

/**
 * One line for each request: the route's pattern, never the address itself, and a pseudonym of where it came from, which
 * tells one guesser from many and names nobody.
 */
export const accessLog = fastifyPlugin<{ deps: Pick<Deps, 'env' | 'log'> }>(async (app, { deps }) => {
  const { env, log } = deps;
  if (!WRITTEN_AT.includes(log.level)) return;
  const key = deriveKey(env, 'log addresses');
  const kept = keepResults<string>();
  const pseudonym = (ip: string) =>
    kept(ip, () => createHmac('sha256', key).update(clientAddress(ip)).digest('base64url').slice(0, 12));

  app.addHook('onRequest', async (request, reply) => {
    // Once the socket is closed, nobody knows any more where it came from.
    const { ip } = request;
    let isWritten = false;
    const write = (status: number) => {
      if (isWritten) return;
      isWritten = true;
      const facts = {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        from: pseudonym(ip),
        ...(request.userId && { userId: request.userId }),
      };
      log.info(facts, 'request');
    };
    reply.raw.once('finish', () => write(reply.statusCode));
    reply.raw.once('close', () => write(LEFT));
  });
});
