import type { CallName, Request } from './calls.ts';

/** Part of every text sent on purpose; no answer may repeat it. */
export const MARK = 'zq7wkj4';

/** Turns a valid request into an invalid one. */
export type Spoil = (request: Request) => Request;

/** The fault, its call, and the statuses that may answer it. */
export type BadInput = readonly [what: string, call: CallName, spoil: Spoil, status: number];

type Body = Record<string, unknown>;

const bodyOf = (request: Request) => request.payload as Body;

/** Replaces fields of the body; `undefined` removes one. */
export const fields =
  (changed: Body): Spoil =>
  (request) => ({ ...request, payload: { ...bodyOf(request), ...changed } });

/** Replaces fields of the first work order. */
export const workOrder =
  (changed: Body): Spoil =>
  (request) => {
    const [line] = bodyOf(request).workOrders as Body[];
    return { ...request, payload: { ...bodyOf(request), workOrders: [{ ...line, ...changed }] } };
  };

/** Names each work order of the body twice. */
export const repeatedWorkOrders: Spoil = (request) => {
  const body = bodyOf(request);
  const workOrders = body.workOrders as Body[];
  return { ...request, payload: { ...body, workOrders: [...workOrders, ...workOrders] } };
};

/** Replaces the body by these characters or bytes. */
export const raw =
  (payload: string | Buffer, contentType = 'application/json'): Spoil =>
  (request) => ({ ...request, headers: { ...request.headers, 'content-type': contentType }, payload });

/** Inserts text before the last bracket of the body's JSON. */
export const appended =
  (json: string): Spoil =>
  (request) => ({ ...request, payload: `${JSON.stringify(request.payload).slice(0, -1)},${json}}` });

export const header =
  (name: string, value: string | string[]): Spoil =>
  (request) => ({ ...request, headers: { ...request.headers, [name]: value } });

export const withoutHeader =
  (name: string): Spoil =>
  ({ headers: { [name]: _gone, ...headers }, ...request }) => ({ ...request, headers });

export const at =
  (url: string): Spoil =>
  (request) => ({ ...request, url: `/api${url}` });

export const method =
  (name: string): Spoil =>
  (request) => ({ ...request, method: name });

/** That many nested arrays. */
export const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
