import { OFFICE_ENDPOINTS } from '@brightpane/contract/endpoints';
import {
  franchiseAnswerSchema,
  franchiseParamsSchema,
  franchiseSettingsSchema,
  importAnswerSchema,
  statusSchema,
  userActiveAnswerSchema,
  userActiveSchema,
  userParamsSchema,
} from '@brightpane/contract/office';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { ZodTypeProvider } from '../../http/schema.ts';
import { changeFranchise } from './change-franchise.ts';
import { acceptImportBodies, type ImportBody } from './import-body.ts';
import { importInvoices } from './import-invoices.ts';
import { badLines, franchiseNotFound, importFormatUnknown, userNotFound } from './office.problems.ts';
import { readCsvRows } from './read-csv-rows.ts';
import { readJsonRows } from './read-json-rows.ts';
import { readStatus } from './read-status.ts';
import { switchUser } from './switch-user.ts';
import { createTurns } from './turns.ts';

/** Each import has a connection of its own to the database; a night on which all offices send must leave payers theirs. */
const IMPORTS_AT_ONCE = 3;

/** Fifty megabytes over a slow line, or a wait for the imports before it. */
export const IMPORT_SECONDS = 600;

export const officeRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  await instance.register(importRoute, { deps });
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: OFFICE_ENDPOINTS.franchise.method,
    url: OFFICE_ENDPOINTS.franchise.path,
    schema: {
      params: franchiseParamsSchema,
      body: franchiseSettingsSchema,
      response: { 200: franchiseAnswerSchema },
    },
    handler: async (request) => {
      const changed = await changeFranchise(deps, {
        franchiseId: request.params.franchiseId,
        settings: request.body,
      });
      if (!changed.ok) throw franchiseNotFound();
      return changed.value;
    },
  });

  app.route({
    method: OFFICE_ENDPOINTS.switchUser.method,
    url: OFFICE_ENDPOINTS.switchUser.path,
    schema: { params: userParamsSchema, body: userActiveSchema, response: { 200: userActiveAnswerSchema } },
    handler: async (request) => {
      const switched = await switchUser(deps, {
        email: request.params.email,
        active: request.body.active,
      });
      if (!switched.ok) throw userNotFound();
      return switched.value;
    },
  });

  app.route({
    method: OFFICE_ENDPOINTS.status.method,
    url: OFFICE_ENDPOINTS.status.path,
    schema: { response: { 200: statusSchema } },
    handler: () => readStatus(deps),
  });
};

const importRoute: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const takeTurn = createTurns(IMPORTS_AT_ONCE);
  acceptImportBodies(instance);

  app.route({
    method: OFFICE_ENDPOINTS.import.method,
    url: OFFICE_ENDPOINTS.import.path,
    config: { receiveSeconds: IMPORT_SECONDS },
    schema: { response: { 200: importAnswerSchema } },
    handler: async (request) => {
      const body = request.body as ImportBody | undefined;
      if (!body) throw importFormatUnknown();
      const rows = body.format === 'csv' ? readCsvRows(body.stream) : readJsonRows(body.stream);
      const outcome = await takeTurn(() => importInvoices(deps, { rows }));
      if (!outcome.ok) throw badLines(outcome);
      const { overpaid, ...counts } = outcome.value;
      return {
        ...counts,
        ...(overpaid.length > 0 && {
          overpaid: overpaid.map(({ overpaidCents, ...invoice }) => ({
            ...invoice,
            amount: toDollars(cents(overpaidCents)),
          })),
        }),
      };
    },
  });
};
