import {
  addStaffSchema,
  changeStaffSchema,
  confirmStaffSchema,
  type StaffList,
  staffAddedSchema,
  staffConfirmedSchema,
  staffListSchema,
  staffParamsSchema,
} from '@brightpane/contract/office/staff';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { answerOnce } from '../../acts/answer-once.ts';
import { readSeenVersion } from '../../acts/read-seen-version.ts';
import { confirmAccess } from '../restore/confirm-access.ts';
import { addStaff } from './add-staff.ts';
import { changeStaff } from './change-staff.ts';
import { listStaff } from './list-staff.ts';
import { peopleProblem } from './people.problems.ts';
import { renewStaffLink } from './renew-staff-link.ts';
import { resetFactors } from './reset-factors.ts';

/** The staff. */
export const peopleRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.staff, {
    schema: { response: { 200: staffListSchema } },
    handler: async ({ caller }): Promise<StaffList> => ({ items: await listStaff(deps, caller) }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.addStaff, {
    schema: { body: addStaffSchema, response: { 201: staffAddedSchema } },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const added = await addStaff(deps, tx, request, request.body);
        if (!added.ok) throw peopleProblem(added);
        return { status: 201, body: added.value };
      }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.changeStaff, {
    schema: { params: staffParamsSchema, body: changeStaffSchema, response: { 200: staffAddedSchema } },
    handler: async (request) => {
      const version = readSeenVersion(request.headers);
      const changed = await changeStaff(deps, request, { ...request.params, ...request.body, version });
      if (!changed.ok) throw peopleProblem(changed);
      return changed.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.renewStaffLink, {
    schema: { params: staffParamsSchema, response: { 201: staffAddedSchema } },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const renewed = await renewStaffLink(deps, tx, request, request.params);
        if (!renewed.ok) throw peopleProblem(renewed);
        return { status: 201, body: renewed.value };
      }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.resetFactors, {
    schema: { params: staffParamsSchema },
    handler: async (request, reply) => {
      const reset = await resetFactors(deps, request, request.params);
      if (!reset.ok) throw peopleProblem(reset);
      return reply.code(204).send();
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.confirmStaff, {
    schema: { body: confirmStaffSchema, response: { 200: staffConfirmedSchema } },
    handler: ({ caller, body }) => confirmAccess(deps, { caller, who: body }),
  });
};
