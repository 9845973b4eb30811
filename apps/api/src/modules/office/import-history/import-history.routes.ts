import { Readable } from 'node:stream';
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
import { admitList } from '../../console/lists/list-limits.ts';
import { listProblem } from '../../console/lists/list-problem.ts';
import { sendCsv } from '../../console/lists/send-csv.ts';
import { importProblem } from '../import/import.problems.ts';
import { listImports } from './list-imports.ts';
import { readImport } from './read-import.ts';
import { writeUndoFile } from './write-undo-file.ts';

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
      const { importId } = request.params;
      const reader = request.caller;
      const found = await readImport(deps, { reader, importId });
      if (!found.ok || found.value.undo === null) throw importProblem('not-found');
      const stream = Readable.from(writeUndoFile(deps, { reader, importId }));
      return sendCsv(reply, { name: `undo-${importId}.csv`, stream });
    },
  });
};
