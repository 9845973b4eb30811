import { importAnswerSchema } from '@brightpane/contract/office';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { badLines, importFormatUnknown } from '../office.problems.ts';
import { acceptImportBodies, type ImportBody } from '../rows/import-body.ts';
import { readCsvRows } from '../rows/read-csv-rows.ts';
import { readJsonRows } from '../rows/read-json-rows.ts';
import { importInvoices } from './import-invoices.ts';
import { createTurns } from './turns.ts';

/** Each import has a connection of its own to the database; a night on which all offices send must leave payers theirs. */
const IMPORTS_AT_ONCE = 3;

/** Fifty megabytes over a slow line, or a wait for the imports before it. */
export const IMPORT_SECONDS = 600;

export const importRoute: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  const takeTurn = createTurns(IMPORTS_AT_ONCE);
  acceptImportBodies(app);

  officeRoute(app, OFFICE_ENDPOINTS.import, {
    config: { receiveSeconds: IMPORT_SECONDS },
    schema: { response: { 200: importAnswerSchema } },
    handler: async (request) => {
      const body = request.body as ImportBody | undefined;
      if (!body) throw importFormatUnknown();
      const rows = body.format === 'csv' ? readCsvRows(body.stream) : readJsonRows(body.stream);
      const outcome = await takeTurn(() => importInvoices(deps, { rows, by: request.caller }));
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
