import { coded } from '../../../http/office.problems.ts';
import { HttpProblem } from '../../../http/problem.ts';

export const cursorUnknown = () =>
  coded(
    400,
    'CursorUnknown',
    'This page does not belong to the list any more. Load the list again.',
    'cursor',
  );

/** Shown under the search field, which keeps its text. */
export const searchUnclear = (sentence: string) => coded(400, 'SearchUnclear', sentence, 'search');

const wait = (status: number, code: string, sentence: string, retryAfterSeconds: number) =>
  new HttpProblem(status, sentence, {
    errors: [{ code, description: sentence }],
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

export const exportUnderWay = () =>
  wait(429, 'ExportUnderWay', 'You have an export under way. Wait until it has ended.', 10);
export const exportsBusy = () =>
  wait(503, 'ExportsBusy', 'Other exports are under way. Please try again in a moment.', 10);
