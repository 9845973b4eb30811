import { OFFICE_ENDPOINTS, type OfficeEndpoint } from '@brightpane/contract/office-endpoints';
import type { RouteOptions } from 'fastify';
import * as z from 'zod';
import { isPublicPath } from '../plugins/authentication.ts';
import type { Answer, Content, Operation, Parameter, Schema } from './api-description.ts';
import type { CallNote } from './call-note.ts';
import { CALL_NOTES } from './call-notes.ts';
import { REFUSALS_OF_ALL, refusal } from './refusals.ts';

/** Describes a call in OpenAPI, from its route's schemas and its note. */
export function describeCall(route: RouteOptions, call: { method: string; path: string }): Operation {
  const note: CallNote = CALL_NOTES[`${call.method} ${call.path}`] ?? { summary: '' };
  const content = note.body ?? bodyOf(route);
  return {
    summary: note.summary,
    tags: [note.group ?? call.path.split('/')[1] ?? ''],
    security: securityOf(note, call),
    parameters: [...parametersOf(route, call.path), ...queryOf(note), ...headersOf(note)],
    ...(content && { requestBody: { required: true, content } }),
    responses: { ...successOf(route, note), ...refusalsOf(note, call) },
  };
}

/** Who may call: anyone, an office by key or session, or the web app by its secret, with or without a session. */
function securityOf(
  note: CallNote,
  { method, path }: { method: string; path: string },
): Operation['security'] {
  if (note.isOpen) return [];
  const ofOffice = OFFICE_CALLS.get(`${method} ${path}`);
  if (ofOffice) {
    const { keys } = ofOffice;
    const isForPeople = keys !== 'only' && keys !== 'operator-only';
    return [...(keys === false ? [] : [{ office: [] }]), ...(isForPeople ? [{ staff: [] }] : [])];
  }
  return isPublicPath(path) ? [{ app: [] }] : [{ app: [], session: [] }];
}

const OFFICE_CALLS = new Map(
  Object.values<OfficeEndpoint>(OFFICE_ENDPOINTS).map((each) => [
    `${each.method} ${each.path.replace(/:(\w+)/g, '{$1}')}`,
    each,
  ]),
);

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(schema, { target: 'openapi-3.0', io, unrepresentable: 'any' }) as Schema;
}

function bodyOf({ schema }: RouteOptions): Content | undefined {
  if (!(schema?.body instanceof z.ZodType)) return undefined;
  return { 'application/json': { schema: jsonSchema(schema.body, 'input') } };
}

function parametersOf({ schema }: RouteOptions, path: string): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: fieldOf(schema?.params, name),
  }));
  const names = schema?.querystring instanceof z.ZodObject ? Object.keys(schema.querystring.shape) : [];
  const inQuery = names.map((name) => {
    const field = fieldOf(schema?.querystring, name);
    return { name, in: 'query', required: true, schema: field };
  });
  return [...inPath, ...inQuery];
}

function fieldOf(schema: unknown, name: string): Schema {
  const field: unknown = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
  return field instanceof z.ZodType ? jsonSchema(field, 'input') : { type: 'string' };
}

function queryOf({ query = [] }: CallNote): Parameter[] {
  return query.map((name) => ({ name, in: 'query', required: true, schema: { type: 'string' } }));
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Names this payment: sent again, it is answered again, and nobody is charged twice.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,200}$' },
};
const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The version of the invoice that the payer saw. Another one is refused with 409.',
  schema: { type: 'string', example: '"7"' },
};

const TERMS_VERSION: Parameter = {
  name: 'Terms-Version',
  in: 'header',
  required: false,
  description:
    'The version of the terms that the payer accepted, as the page showed it; kept with the payment.',
  schema: { type: 'string', pattern: '^[\\w.-]{1,64}$' },
};

const PARAMETERS: Record<NonNullable<CallNote['headers']>, Parameter[]> = {
  card: [IDEMPOTENCY_KEY],
  payment: [IDEMPOTENCY_KEY, TERMS_VERSION],
  'payment of one invoice': [IDEMPOTENCY_KEY, IF_MATCH, TERMS_VERSION],
};

function headersOf({ headers }: CallNote): Parameter[] {
  if (headers === undefined) return [];
  return PARAMETERS[headers];
}

const REPLAYED = {
  'Idempotency-Replayed': {
    description: '`true` where this was answered before',
    schema: { type: 'string' },
  },
};

function successOf({ schema }: RouteOptions, note: CallNote): Record<string, Answer> {
  const headers = note.headers && { headers: REPLAYED };
  const declared = Object.entries((schema?.response ?? {}) as Record<string, unknown>).map(
    ([status, answer]): [string, Answer] => [
      status,
      {
        description: 'Done',
        ...headers,
        ...(answer instanceof z.ZodType && {
          content: { 'application/json': { schema: jsonSchema(answer, 'output') } },
        }),
      },
    ],
  );
  const noted = Object.entries(note.alsoAnswers ?? {}).map(([status, description]) => [
    status,
    { description },
  ]);
  if (note.answer) declared.push(['200', { description: 'Done', ...headers, content: note.answer }]);
  if (declared.length === 0) declared.push(['204', { description: 'Done' }]);
  return Object.fromEntries([...declared, ...noted]);
}

function refusalsOf(
  note: CallNote,
  { method, path }: { method: string; path: string },
): Operation['responses'] {
  const statuses = new Set([
    ...REFUSALS_OF_ALL,
    ...(note.isOpen ? [] : [401]),
    ...(path.startsWith('/office/') ? [403] : []),
    ...(method === 'GET' ? [] : [413]),
    ...(note.refusals ?? []),
  ]);
  return Object.fromEntries([...statuses].toSorted().map((status) => [String(status), refusal(status)]));
}
