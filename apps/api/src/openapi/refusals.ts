import { problemSchema } from '@brightpane/contract/problem';
import * as z from 'zod';
import type { Answer, ApiDescription, Schema } from './api-description.ts';

/** What each status means, whichever call answers it. */
const MEANINGS: Record<number, string> = {
  400: 'Something is wrong with the request; `errors` name what',
  401: 'The caller is not known, or the session has ended',
  403: 'The caller may not do this, or the link is not good any more',
  404: 'There is no such thing, or it is somebody else’s',
  408: 'The request took too long to arrive',
  409: 'Something has changed or is under way; `errors` name what',
  413: 'The body is too large',
  415: 'The body is of a kind that this call does not take',
  422: 'The Idempotency-Key was used for another request',
  428: 'The version that was looked at is missing: send it as If-Match',
  429: 'Too many tries; Retry-After says when the next one is looked at',
  431: 'The headers are too many or too large',
  500: 'Our mistake; the log has it under `requestId`',
  503: 'Not possible at the moment; Retry-After says when to try again',
};

const RETRY_AFTER = { description: 'Seconds', schema: { type: 'integer' } };
const RETRIED = [409, 429, 503];

/** Any call may answer these before it is processed. */
export const REFUSALS_OF_ALL = [400, 408, 415, 431, 500, 503];

export const refusal = (status: number) => ({ $ref: `#/components/responses/${status}` });

/** A refusal that is a page for people, and a problem for programs. */
export const refusalAsPage = (status: number): Answer => ({
  description: MEANINGS[status] ?? '',
  content: {
    'application/json': { schema: PROBLEM },
    'text/html': { schema: { type: 'string' } },
  },
});

const PROBLEM = z.toJSONSchema(problemSchema, { target: 'openapi-3.0' }) as Schema;

/** The refusals as shared components of the document. */
export const REFUSAL_COMPONENTS: ApiDescription['components'] = {
  schemas: { Problem: PROBLEM },
  responses: Object.fromEntries(
    Object.entries(MEANINGS).map(([status, description]) => [
      status,
      {
        description,
        ...(RETRIED.includes(Number(status)) && { headers: { 'Retry-After': RETRY_AFTER } }),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  ),
};
