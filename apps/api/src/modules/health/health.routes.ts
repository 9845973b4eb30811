import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import { HttpProblem } from '../../http/problem.ts';
import { createReadiness } from './is-ready.ts';

export const healthRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  const isReady = createReadiness(deps);

  app.get('/health/live', async () => ({ status: 'live' }));

  app.get('/health/ready', async () => {
    // Tells the load balancer to use another instance.
    if (deps.underWay.isEnding()) throw new HttpProblem(503, 'This instance is ending.');
    if (!(await isReady())) throw new HttpProblem(503, 'The database does not answer.');
    return { status: 'ready' };
  });
};
