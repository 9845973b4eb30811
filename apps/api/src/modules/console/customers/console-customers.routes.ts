import { inviteCustomerAnswerSchema } from '@brightpane/contract/office';
import {
  customerListQuerySchema,
  customerListSchema,
  customerParamsSchema,
  invitationParamsSchema,
  invitationSchema,
  officeCustomerSchema,
  personMailSchema,
  personParamsSchema,
  statementQuerySchema,
  statementSchema,
} from '@brightpane/contract/office/customers';
import { officeNoteAnswerSchema, officeNoteTextSchema } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { answerOnce } from '../../acts/answer-once.ts';
import { inviteCustomer } from '../../invitations/invite-customer.ts';
import { admitList } from '../lists/list-limits.ts';
import { listProblem } from '../lists/list-problem.ts';
import { sendCsv } from '../lists/send-csv.ts';
import { customerProblem } from './customers.problems.ts';
import { endAccess } from './end-access.ts';
import { listCustomers } from './list-customers.ts';
import { mailPerson } from './mail-person.ts';
import { noteCustomer } from './note-customer.ts';
import { readCustomer } from './read-customer.ts';
import { exportStatement } from './statement/export-statement.ts';
import { readStatement } from './statement/read-statement.ts';
import { withdrawInvitation } from './withdraw-invitation.ts';

/** Customers as an office sees them, and who sees their invoices. */
export const consoleCustomersRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.customers, {
    schema: { querystring: customerListQuerySchema, response: { 200: customerListSchema } },
    handler: async ({ caller, query }) => {
      await admitList(deps, caller);
      const list = await listCustomers(deps, { ...query, caller });
      if (!list.ok) throw listProblem(list);
      return list.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.customer, {
    schema: { params: customerParamsSchema, response: { 200: officeCustomerSchema } },
    handler: async ({ caller, params }) => {
      const customer = await readCustomer(deps, { ...params, actorId: caller.id });
      if (!customer.ok) throw customerProblem(customer);
      return customer.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.noteCustomer, {
    schema: {
      params: customerParamsSchema,
      body: officeNoteTextSchema,
      response: { 201: officeNoteAnswerSchema },
    },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const { caller, params, body } = request;
        const noted = await noteCustomer(tx, { ...params, ...body, by: caller });
        if (!noted.ok) throw customerProblem(noted);
        return { status: 201, body: { noteId: noted.value } };
      }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.inviteToCustomer, {
    schema: {
      params: customerParamsSchema,
      body: invitationSchema,
      response: { 201: inviteCustomerAnswerSchema },
    },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const { caller, params, body } = request;
        const invited = await inviteCustomer(deps, tx, { ...params, ...body, by: caller });
        if (!invited.ok) throw customerProblem(invited);
        return { status: 201, body: { invitationId: invited.value } };
      }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.withdrawInvitation, {
    schema: { params: invitationParamsSchema },
    handler: async ({ caller, params }, reply) => {
      const withdrawn = await withdrawInvitation(deps, { ...params, by: caller });
      if (!withdrawn.ok) throw customerProblem(withdrawn);
      return reply.code(204).send();
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.endAccess, {
    schema: { params: personParamsSchema },
    handler: async ({ caller, params }, reply) => {
      const ended = await endAccess(deps, { ...params, by: caller });
      if (!ended.ok) throw customerProblem(ended);
      return reply.code(204).send();
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.mailPerson, {
    schema: { params: personParamsSchema, body: personMailSchema, response: { 202: z.null() } },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const { caller, params, body } = request;
        const mailed = await mailPerson(deps, tx, { ...params, ...body, by: caller });
        if (!mailed.ok) throw customerProblem(mailed);
        return { status: 202, body: null };
      }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.statement, {
    schema: {
      params: customerParamsSchema,
      querystring: statementQuerySchema,
      response: { 200: statementSchema },
    },
    handler: async ({ caller, params, query }) => {
      const statement = await readStatement(deps, { ...params, ...query, actorId: caller.id });
      if (!statement.ok) throw customerProblem(statement);
      return statement.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.statementFile, {
    schema: { params: customerParamsSchema, querystring: statementQuerySchema },
    handler: async ({ caller, params, query }, reply) => {
      const exported = await exportStatement(deps, { ...params, ...query, caller });
      if (!exported.ok) throw customerProblem(exported);
      return sendCsv(reply, exported.value);
    },
  });
};
