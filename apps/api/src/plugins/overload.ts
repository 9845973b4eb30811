import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Deps } from '../deps.ts';
import { busy } from '../http/busy.ts';
import { watchLoad } from '../load.ts';

/** HEAD does what GET does, and leaves out the answer's body. */
const READING = new Set(['GET', 'HEAD']);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Waits for something beside the database, which bounds it itself: it is no sign of load that it is under way. */
    waitsElsewhere?: boolean;
  }
}

/**
 * Turns calls away while the portal cannot keep up, so that those it takes are answered in time. Never says of a payment
 * that nothing was charged: an earlier try under the same key may have been. Pages are served all the while, and health
 * is told.
 */
export const overload = fastifyPlugin<{ deps: Pick<Deps, 'db' | 'env' | 'metrics' | 'underWay'> }>(
  async (app, { deps }) => {
    const { db, env, metrics, underWay } = deps;
    const load = watchLoad(db.pool, { maxLagMilliseconds: env.MAX_LAG_MILLISECONDS });
    app.addHook('onClose', async () => load.stop());
    // Calls that read: they come in numbers, and wait for the database alone. A body that trickles in, an answer that
    // trickles out and a provider that takes its time are not counted: they ask nothing of us meanwhile.
    const ends = new WeakMap<FastifyRequest, () => void>();
    app.addHook('onRequest', async (request, reply) => {
      // Whoever keeps a connection to an instance that ends would lose its next request.
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
      // Also where nobody waits for the answer any more.
      reply.raw.once('close', end);
    });
    app.addHook('onSend', async (request) => ends.get(request)?.());
  },
);
