import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import { demoRoutes } from './demo/demo.routes.ts';
import { signInRoutes } from './sign-in/sign-in.routes.ts';
import { stepUpRoutes } from './step-up/step-up.routes.ts';

/** Who works here: signing in, one's own account, the others, and the programs. */
export const staffRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  await app.register(signInRoutes, { deps });
  await app.register(stepUpRoutes, { deps });
  if (deps.env.NODE_ENV === 'development') await app.register(demoRoutes, { deps });
};
