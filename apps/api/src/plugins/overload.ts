import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Deps } from '../deps.ts';
import { busy } from '../http/busy.ts';
import { watchLoad } from '../load.ts';

/** HEAD does the same work as GET. */
const READING = new Set(['GET', 'HEAD']);

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The call waits for something other than the database, with its own limit, so being in
     * progress is no sign of load.
     */
    waitsElsewhere?: boolean;
  }
}

/**
 * Rejects calls while the portal can't keep up, so that admitted ones are answered in time. Never says that a payment
 * wasn't charged, as an earlier attempt under the same key may have been. Pages and health checks are always served.
 */
export const overload = fastifyPlugin<{ deps: Pick<Deps, 'db' | 'env' | 'metrics' | 'underWay'> }>(
  async (app, { deps }) => {
    const { db, env, metrics, underWay } = deps;
    const load = watchLoad(db.pool, { maxLagMilliseconds: env.MAX_LAG_MILLISECONDS });
    app.addHook('onClose', async () => load.stop());
    // Counts only calls that read: they come in numbers and wait only for the database. Doesn't count slow bodies, slow
    // readers or a slow provider, which cost us nothing meanwhile.
    const ends = new WeakMap<FastifyRequest, () => void>();
    app.addHook('onRequest', async (request, reply) => {
      // Close connections while the instance ends, or their next request would be lost.
      if (underWay.isEnding()) reply.header('connection', 'close');
      const route = request.routeOptions.url ?? '';
      if (!route.startsWith('/api/') || route.startsWith('/api/health/')) return;
      const reason = load.late();
      if (reason !== null) {
        metrics.turnedAway.inc({ reason });
        throw busy();
      }
      if (!READING.has(request.method) || request.routeOptions.config.waitsElsewhere) return;
      const end = load.begin();
      ends.set(request, end);
      // Also end calls whose client has left.
      reply.raw.once('close', end);
    });
    app.addHook('onSend', async (request) => ends.get(request)?.());
  },
);
