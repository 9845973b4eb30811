import { HttpProblem } from '../../../http/problem.ts';

/** Imports of a hundred thousand invoices and more fit; a body that never ends does not. */
export const MAX_IMPORT_BYTES = 64 * 1024 * 1024;

export const importTooLarge = () =>
  new HttpProblem(
    413,
    `An import may have at most ${MAX_IMPORT_BYTES / 1024 / 1024} MB. Please send it in parts.`,
  );

export const importFormatUnknown = () =>
  new HttpProblem(415, 'Please send the import as text/csv or application/json.');

/** Nobody is left to read it; but who leaves is no fault of ours that would have to be reported. */
export const importBrokeOff = () => new HttpProblem(400, 'The import broke off before its end.');
