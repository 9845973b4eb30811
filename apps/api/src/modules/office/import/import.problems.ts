import type { ProblemError } from '@brightpane/contract/problem';
import { HttpProblem } from '../../../http/problem.ts';
import type { CheckRefusal } from './check/check-import.ts';
import type { ImportRefusal } from './import-invoices.ts';

const CROWDED = 'Many files are being read at the moment. Please send yours again in a minute.';
const CROWDED_SECONDS = '60';

const ACCESS_CHANGED = 'Your access was changed while this file was being read. Nothing was imported.';

const PROBLEMS = {
  unchecked: [400, 'CheckFirst', 'Check the file first.'],
  'not-found': [404, 'ImportUnknown', 'This import is not known.'],
  'under-way': [409, 'ImportUnderWay', 'This file is being read. Please wait for it.'],
  imported: [409, 'ImportedAlready', 'This file was imported already. Check it as a new one.'],
  'access-changed': [403, 'AccessChanged', ACCESS_CHANGED],
  'another-file': [409, 'AnotherFile', 'This is not the file that was checked.'],
} satisfies Record<Exclude<Refusal, 'crowded'>, [number, string, string]>;

type Refusal = ImportRefusal | CheckRefusal;

export function importProblem(refusal: Refusal): HttpProblem {
  if (refusal === 'crowded') {
    return new HttpProblem(503, CROWDED, {
      errors: [{ code: 'Busy', description: CROWDED }],
      headers: { 'retry-after': CROWDED_SECONDS },
    });
  }
  const [status, code, description] = PROBLEMS[refusal];
  return new HttpProblem(status, description, { errors: [{ code, description }] });
}

export function badLines({ count, errors }: { count: number; errors: ProblemError[] }): HttpProblem {
  const lines = count === 1 ? 'One line is wrong' : `${count} lines are wrong`;
  const named = count > errors.length ? ` The first ${errors.length} are named.` : '';
  return new HttpProblem(400, `${lines}, so nothing was imported.${named}`, { errors });
}
