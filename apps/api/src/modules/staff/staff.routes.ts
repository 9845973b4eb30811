import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import { accountRoutes } from './account/account.routes.ts';
import { demoRoutes } from './demo/demo.routes.ts';
import { factorsRoutes } from './factors/factors.routes.ts';
import { apiKeysRoutes } from './keys/api-keys.routes.ts';
import { passkeysRoutes } from './passkeys/passkeys.routes.ts';
import { peopleRoutes } from './people/people.routes.ts';
import { linksRoutes } from './sign-in/links.routes.ts';
import { signInRoutes } from './sign-in/sign-in.routes.ts';
import { stepUpRoutes } from './step-up/step-up.routes.ts';

/** Signing in, one's own account, other people, and programs' keys. */
export const staffRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  await app.register(signInRoutes, { deps });
  await app.register(linksRoutes, { deps });
  await app.register(stepUpRoutes, { deps });
  await app.register(factorsRoutes, { deps });
  await app.register(passkeysRoutes, { deps });
  await app.register(accountRoutes, { deps });
  await app.register(peopleRoutes, { deps });
  await app.register(apiKeysRoutes, { deps });
  if (deps.env.NODE_ENV === 'development') await app.register(demoRoutes, { deps });
};
