import { HttpProblem } from '../../../http/problem.ts';

/** Fits well over a hundred thousand invoices, but not an endless body. */
export const MAX_IMPORT_BYTES = 64 * 1024 * 1024;

export const importTooLarge = () =>
  new HttpProblem(
    413,
    `An import may have at most ${MAX_IMPORT_BYTES / 1024 / 1024} MB. Please send it in parts.`,
  );

export const importFormatUnknown = () =>
  new HttpProblem(415, 'Please send the import as text/csv or application/json.');

/** The client has left and won't read this; as a 400 it isn't reported as our error. */
export const importBrokeOff = () => new HttpProblem(400, 'The import broke off before its end.');
