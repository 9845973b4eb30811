import { importAnswerSchema } from '@brightpane/contract/office';
import {
  checkedImportSchema,
  checkQuerySchema,
  importQuerySchema,
} from '@brightpane/contract/office/imports';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { importBrokeOff, importFormatUnknown } from '../rows/import-body.problems.ts';
import { acceptImportBodies, type ImportBody } from '../rows/import-body.ts';
import { checkImport } from './check/check-import.ts';
import { presentOverpaid } from './check/present-check.ts';
import { badLines, importProblem } from './import.problems.ts';
import { importInvoices } from './import-invoices.ts';
import { createTurnsOfCallers } from './turns-of-callers.ts';

/**
 * Each import has its own database connection. On a night when all offices send, payers still need theirs, and each
 * waiting import holds an HTTP connection, so more than these are told to retry. A turn lasts as long as its file takes to
 * arrive, so one caller's files leave a turn to the others.
 */
const TURNS = { atOnce: 3, waiting: 60, ofOne: 2 };

/** Enough for fifty megabytes over a slow line, or for waiting behind other imports. */
export const IMPORT_SECONDS = 600;

const config = { receiveSeconds: IMPORT_SECONDS };

export const importRoute: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  const turns = createTurnsOfCallers(TURNS);
  acceptImportBodies(app);

  officeRoute(app, OFFICE_ENDPOINTS.import, {
    config,
    schema: { querystring: importQuerySchema, response: { 200: importAnswerSchema } },
    handler: async (request) => {
      const { importId, fileName } = request.query;
      const body = bodyOf(request);
      const outcome = await importInvoices(deps, turns.of(request.caller.id), {
        body,
        sender: request.caller,
        importId,
        fileName,
      });
      if (!outcome.ok) {
        body.drop();
        throw outcome.code === 'bad-lines' ? badLines(outcome) : importProblem(outcome.code);
      }
      const { overpaid, ...counts } = outcome.value;
      return { ...counts, ...(overpaid.length > 0 && { overpaid: overpaid.map(presentOverpaid) }) };
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.checkImport, {
    config,
    schema: { querystring: checkQuerySchema, response: { 200: checkedImportSchema } },
    handler: async (request, reply) => {
      const { importId, fileName } = request.query;
      const body = bodyOf(request);
      const signal = leavingOf(reply);
      const outcome = await checkImport(deps, turns.of(request.caller.id), {
        body,
        sender: request.caller,
        importId,
        fileName,
        signal,
      });
      if (outcome.ok) return outcome.value;
      body.drop();
      throw importProblem(outcome.code);
    },
  });
};

function bodyOf({ body }: FastifyRequest): ImportBody {
  if (!body) throw importFormatUnknown();
  return body as ImportBody;
}

/** A signal that aborts when the client leaves. */
function leavingOf(reply: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) leaving.abort(importBrokeOff());
  });
  return leaving.signal;
}
