import { OFFICE_ENDPOINTS, type OfficeEndpoint } from '@brightpane/contract/office-endpoints';
import type { RouteOptions } from 'fastify';
import * as z from 'zod';
import { isPublicPath } from '../plugins/authentication.ts';
import type { Answer, Content, Operation, Parameter, Schema } from './api-description.ts';
import { HEADERS, REPLAYED } from './call-headers.ts';
import type { CallNote } from './call-note.ts';
import { CALL_NOTES } from './call-notes.ts';
import { DEMO_CALL_NOTES } from './office-call-notes.ts';
import { REFUSALS_OF_ALL, refusal, refusalAsPage } from './refusals.ts';

/** Describes a call in OpenAPI, from its route's schemas and its note. */
export function describeCall(route: RouteOptions, call: { method: string; path: string }): Operation {
  const name = `${call.method} ${call.path}`;
  const note: CallNote = CALL_NOTES[name] ?? DEMO_CALL_NOTES[name] ?? { summary: '' };
  const content = note.body ?? bodyOf(route);
  const headers = note.headers && HEADERS[note.headers];
  return {
    summary: note.summary,
    tags: [note.group ?? call.path.split('/')[1] ?? ''],
    security: securityOf(note, call),
    parameters: [...parametersOf(route, call.path), ...queryOf(note), ...(headers?.parameters ?? [])],
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
    return { name, in: 'query', required: isRequired(schema?.querystring, name), schema: field };
  });
  return [...inPath, ...inQuery];
}

function fieldOf(schema: unknown, name: string): Schema {
  const field = typeOf(schema, name);
  return field ? jsonSchema(field, 'input') : { type: 'string' };
}

/** Whether a request without the field is refused. */
function isRequired(schema: unknown, name: string): boolean {
  return typeOf(schema, name)?.safeParse(undefined).success === false;
}

function typeOf(schema: unknown, name: string): z.ZodType | undefined {
  const field: unknown = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
  return field instanceof z.ZodType ? field : undefined;
}

function queryOf({ query = {} }: CallNote): Parameter[] {
  return Object.entries(query).map(([name, need]) => ({
    name,
    in: 'query',
    required: need === 'required',
    schema: { type: 'string' },
  }));
}

function successOf({ schema }: RouteOptions, note: CallNote): Record<string, Answer> {
  const headers = note.headers && HEADERS[note.headers].isReplayMarked && { headers: REPLAYED };
  const declared = Object.entries((schema?.response ?? {}) as Record<string, unknown>).map(
    ([status, answer]): [string, Answer] => [
      status,
      {
        description: 'Done',
        ...headers,
        ...(status !== '204' &&
          answer instanceof z.ZodType && {
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
    // A wrong key is refused by any call of the office, and so is trying many.
    ...(path.startsWith('/office/') ? [401, 403, 429] : []),
    ...(method === 'GET' ? [] : [413]),
    ...(note.headers ? HEADERS[note.headers].refusals : []),
    ...(note.refusals ?? []),
  ]);
  const refusalOf = note.refusesWithPages ? refusalAsPage : refusal;
  return Object.fromEntries([...statuses].toSorted().map((status) => [String(status), refusalOf(status)]));
}
