import { waitingSchema } from '@brightpane/contract/office/waiting';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { countWaiting } from './count-waiting.ts';

/** The counts beside the console's screens. */
export const waitingRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.waiting, {
    schema: { response: { 200: waitingSchema } },
    handler: ({ caller }) => countWaiting(deps, caller),
  });
};
