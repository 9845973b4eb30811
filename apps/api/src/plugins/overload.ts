import fastifyPlugin from 'fastify-plugin';
import type pg from 'pg';
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
  interface FastifyRequest {
    /** Ends the count of a call that reads. */
    endReading: (() => void) | null;
  }
}

type Options = { deps: Pick<Deps, 'db' | 'env' | 'metrics'>; officePool: pg.Pool };

/**
 * Rejects calls while the portal can't keep up, so that admitted ones are answered in time. Never says that a payment
 * wasn't charged, as an earlier attempt under the same key may have been. Pages and health checks are always served.
 * Offices' calls have connections of their own and are counted by themselves: however many they are, payers are admitted.
 */
export const overload = fastifyPlugin<Options>(async (app, { deps, officePool }) => {
  const { db, env, metrics } = deps;
  // Made once: an error's stack takes longer than anything else about a refusal, when there is least time.
  const turnedAway = busy();
  const limit = { maxLagMilliseconds: env.MAX_LAG_MILLISECONDS };
  const ofPayers = watchLoad(db.pool, limit);
  const ofOffices = watchLoad(officePool, limit);
  app.addHook('onClose', async () => {
    ofPayers.stop();
    ofOffices.stop();
  });
  // Counts only calls that read: they come in numbers and wait only for the database. Doesn't count slow bodies, slow
  // readers or a slow provider, which cost us nothing meanwhile.
  app.decorateRequest('endReading', null);
  app.addHook('onRequest', (request, reply, done) => {
    const { url = '', config } = request.route;
    if (!url.startsWith('/api/') || url.startsWith('/api/health/')) return done();
    const load = url.startsWith('/api/office/') ? ofOffices : ofPayers;
    const reason = load.late();
    if (reason !== null) {
      metrics.turnedAway.inc({ reason });
      return done(turnedAway);
    }
    if (!READING.has(request.method) || config.waitsElsewhere) return done();
    const end = load.begin();
    request.endReading = end;
    // Also end calls whose client has left.
    reply.raw.on('close', end);
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.endReading?.();
    done();
  });
});
