import type { AuditFact } from '@brightpane/contract/office/words/audit-fields';
import type { AuditRow } from './audit.queries.ts';

/** Of what else a row keeps, the rest are ids and names of our own. */
const SHOWN = [
  'recipient',
  'rows',
  'filters',
  'amountCents',
  'method',
  'transactionKey',
] satisfies AuditFact[];

/** What an act's subject and values don't say: whom it was about, where a receipt went, what a file has. */
export function presentDetail({
  actor,
  person,
  before,
  after,
  detail,
}: Pick<AuditRow, 'actor' | 'person' | 'before' | 'after' | 'detail'>): Record<string, unknown> | null {
  // What people do to themselves names them already, and so do values with an address.
  const isNamed = person === actor || before?.email !== undefined || after?.email !== undefined;
  const facts = {
    ...(person !== null && !isNamed && { person }),
    ...Object.fromEntries(
      SHOWN.flatMap((name) => ((detail[name] ?? null) === null ? [] : [[name, detail[name]]])),
    ),
  };
  return Object.keys(facts).length === 0 ? null : facts;
}
