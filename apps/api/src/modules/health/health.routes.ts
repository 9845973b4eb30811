import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import { HttpProblem } from '../../http/problem.ts';
import { isReady } from './is-ready.ts';

export const healthRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  app.get('/health/live', async () => ({ status: 'live' }));

  app.get('/health/ready', async () => {
    if (!(await isReady(deps))) throw new HttpProblem(503, 'The database does not answer.');
    return { status: 'ready' };
  });
};
