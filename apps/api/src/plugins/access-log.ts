import { createHmac } from 'node:crypto';
import fastifyPlugin from 'fastify-plugin';
import { deriveKey } from '../crypto/derive-key.ts';
import type { Deps } from '../deps.ts';
import { keepResults } from '../keep-results.ts';
import { clientAddress } from '../modules/limits/client-address.ts';

/** The status that proxies log when the client left before the answer. */
const LEFT = 499;
const WRITTEN_AT = ['info', 'debug', 'trace'];

/**
 * Logs one line per request: the route's pattern rather than the URL, and a pseudonym of the client's address, which
 * tells one guesser from many without naming anyone.
 */
export const accessLog = fastifyPlugin<{ deps: Pick<Deps, 'env' | 'log'> }>(async (app, { deps }) => {
  const { env, log } = deps;
  if (!WRITTEN_AT.includes(log.level)) return;
  const key = deriveKey(env, 'log addresses');
  const kept = keepResults<string>();
  const pseudonym = (ip: string) =>
    kept(ip, () => createHmac('sha256', key).update(clientAddress(ip)).digest('base64url').slice(0, 12));

  app.addHook('onRequest', (request, reply, done) => {
    // Work it out now: in a listener, whatever throws ends the process.
    const from = pseudonym(request.ip);
    let isWritten = false;
    const write = (status: number) => {
      if (isWritten) return;
      isWritten = true;
      const facts = {
        requestId: request.id,
        method: request.method,
        route: request.route.url ?? 'none',
        status,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        from,
        ...(request.userId && { userId: request.userId }),
      };
      log.info(facts, 'request');
    };
    reply.raw.on('finish', () => write(reply.statusCode));
    reply.raw.on('close', () => write(LEFT));
    done();
  });
});
