import {
  importParamsSchema,
  importSchema,
  importsQuerySchema,
  importsSchema,
} from '@brightpane/contract/office/imports';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { admitList } from '../../console/lists/list-limits.ts';
import { listProblem } from '../../console/lists/list-problem.ts';
import { sendCsv } from '../../console/lists/send-csv.ts';
import { importProblem } from '../import/import.problems.ts';
import { exportUndoFile } from './export-undo-file.ts';
import { listImports } from './list-imports.ts';
import { readImport } from './read-import.ts';

/** The history of imports, and files that undo them. */
export const importsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.imports, {
    schema: { querystring: importsQuerySchema, response: { 200: importsSchema } },
    handler: async (request) => {
      await admitList(deps, request.caller);
      const listed = await listImports(deps, { reader: request.caller, ...request.query });
      if (!listed.ok) throw listProblem(listed);
      return listed.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.importRecord, {
    schema: { params: importParamsSchema, response: { 200: importSchema } },
    handler: async (request) => {
      const found = await readImport(deps, { reader: request.caller, importId: request.params.importId });
      if (!found.ok) throw importProblem('not-found');
      return found.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.undoFile, {
    schema: { params: importParamsSchema },
    handler: async (request, reply) => {
      const exported = await exportUndoFile(deps, {
        caller: request.caller,
        importId: request.params.importId,
        confirm: (tx) => spendStepUp(tx, request),
      });
      if (!exported.ok) throw importProblem('not-found');
      return sendCsv(reply, exported.value);
    },
  });
};
