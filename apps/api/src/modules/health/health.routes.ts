import { sql } from 'drizzle-orm';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import { HttpProblem } from '../../http/problem.ts';

export const healthRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  app.get('/health/live', async () => ({ status: 'live' }));

  /** Ready once the database answers and carries our schema. */
  app.get('/health/ready', async () => {
    try {
      await deps.db.query.execute(sql`SELECT FROM invoice LIMIT 1`);
    } catch (error) {
      deps.log.warn({ err: error }, 'not ready');
      throw new HttpProblem(503, 'The database does not answer.');
    }
    return { status: 'ready' };
  });
};
