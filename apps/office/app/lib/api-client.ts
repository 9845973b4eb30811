import { mayBeDone } from '@brightpane/contract/wait-advice';
import { type Answer, askServer, type RefusedCall } from '@brightpane/ui/forms/ask-server';
import { idempotencyKey, renewIdempotencyKey } from '@brightpane/ui/forms/idempotency-key';
import { refuseCardNumbers } from './card-number-guard.ts';
import { leaveFor } from './leave-page.ts';
import { signInAddress } from './next-path.ts';
import { pagesPerson } from './pages-person.ts';
import { type Act, askSignInAgain, askStepUp, askStillThere } from './questions.ts';
import { isSomethingTyped } from './something-typed.ts';

/** The part of an `OFFICE_ENDPOINTS` row that a request needs. */
export type OfficeCall = { method: string; path: string };

export type OfficeCallOptions = {
  params?: Record<string, string | number>;
  /** Empty values are left out. */
  query?: Record<string, string | number | null | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  /** The form of a POST that creates or sends. After a lost answer, pressing again reuses the idempotency key. */
  once?: string;
  /** The act in words ("Replace the keys of Clear View Oak Park"), for calls that may need a second factor. */
  stepUp?: string;
  /** A poll by the screen, not by the person: it doesn't keep the session awake, opens no dialog and leaves no screen. */
  isBackground?: boolean;
  /** For screens before sign-in, which show a 401 themselves. */
  isAnonymous?: boolean;
};

/**
 * Calls the office API and returns data or a problem. On the way it may open a dialog and then repeat the call:
 * **Still there?** after 30 idle minutes, **Sign in again** if typed text would be lost with the session, and
 * **Confirm it is you** if the act needs a second factor. Without a session it leaves for the sign-in and never returns;
 * if somebody else has signed in since the page was loaded, for that person's start.
 */
export async function callOffice<Data = undefined>(
  call: OfficeCall,
  options: OfficeCallOptions = {},
): Promise<Answer<Data>> {
  const { query, body, once, stepUp, isAnonymous = false, isBackground = false } = options;
  const refusal = refuseCardNumbers([query, body]);
  if (refusal) return { ok: false, problem: refusal };
  const request = writeRequest(call, options);
  let token: string | null = null;
  for (;;) {
    const answer = await send<Data>(request, token);
    if (answer.ok || isAnonymous) return keepOrRenewKey(answer, once);
    const { problem } = answer;
    if (problem.status === 401) {
      if (isBackground) return answer;
      if (hasCode(problem, ANOTHER_PERSON)) return leaveFor('/office/');
      if (!(await comesBack(problem, call))) return leaveFor(signInAddress(window.location));
    } else if (stepUp !== undefined && STEP_UP_CODES.some((code) => hasCode(problem, code))) {
      token = await askStepUp(await actOf(request), stepUp);
      if (token === null) return answer;
    } else return keepOrRenewKey(answer, once);
  }
}

/** The same for requests sent in another way, such as uploads: asks for a session or navigates to the sign-in. */
export async function retrySignedIn<Data>(
  call: OfficeCall,
  send: () => Promise<Answer<Data>>,
): Promise<Answer<Data>> {
  for (;;) {
    const answer = await send();
    if (answer.ok) return answer;
    if (hasCode(answer.problem, ANOTHER_PERSON)) return leaveFor('/office/');
    if (answer.problem.status !== 401) return answer;
    if (!(await comesBack(answer.problem, call))) return leaveFor(signInAddress(window.location));
  }
}

/** Whether the person has a session again. A GET with nothing typed needs no dialog: the screen loads after sign-in. */
async function comesBack(problem: RefusedCall, { method }: OfficeCall): Promise<boolean> {
  if (hasCode(problem, 'SessionIdle') && (await askStillThere())) return true;
  return (method !== 'GET' || isSomethingTyped()) && (await askSignInAgain()) === true;
}

const ANOTHER_PERSON = 'AnotherPerson';
const STEP_UP_CODES = ['StepUpRequired', 'StepUpInvalid'];

type Request = { method: string; path: string; body: string | undefined; headers: Record<string, string> };

function writeRequest(call: OfficeCall, options: OfficeCallOptions): Request {
  const { params = {}, query = {}, body, headers = {}, once } = options;
  const { isBackground = false, isAnonymous = false } = options;
  const path = officePath(call.path, params, query);
  const text = body === undefined ? undefined : JSON.stringify(body);
  return {
    method: call.method,
    path,
    body: text,
    headers: {
      ...officeHeaders({ isAnonymous }),
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(isBackground ? { 'X-Background': '1' } : {}),
      ...(once === undefined ? {} : { 'Idempotency-Key': idempotencyKey(keyName(once), [path, text]) }),
      ...headers,
    },
  };
}

/** What every call says: that a page of the console makes it and, unless it signs in, for whom. */
export function officeHeaders({ isAnonymous = false } = {}): Record<string, string> {
  const person = isAnonymous ? null : pagesPerson();
  return { 'X-Office': '1', ...(person !== null && { 'X-Person': person }) };
}

/** A call's URL with its parameters, exactly as sent and as a second factor confirms it. */
export function officePath(
  path: string,
  params: Record<string, string | number> = {},
  query: NonNullable<OfficeCallOptions['query']> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  return `/api${filled}${search}`;
}

function send<Data>({ method, path, body, headers }: Request, token: string | null): Promise<Answer<Data>> {
  return askServer<Data>(path, {
    method,
    credentials: 'same-origin',
    headers: token === null ? headers : { ...headers, 'X-Step-Up': token },
    ...(body === undefined ? {} : { body }),
  });
}

async function actOf({ method, path, body = '' }: Request): Promise<Act> {
  return { method, path, body: body === '' ? '' : await sha256Hex(body) };
}

async function sha256Hex(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Renews the key once the act is over. An act that may still have happened, or is asked again, keeps its key. */
function keepOrRenewKey<Data>(answer: Answer<Data>, once: string | undefined): Answer<Data> {
  if (once !== undefined && (answer.ok || !mayGoOn(answer.problem))) renewIdempotencyKey(keyName(once));
  return answer;
}

function mayGoOn(problem: RefusedCall): boolean {
  return mayBeDone(problem) || [401, 403, 428, 429].includes(problem.status);
}

const keyName = (form: string) => `office.${form}`;

export function hasCode({ errors }: Pick<RefusedCall, 'errors'>, code: string): boolean {
  return errors.some((error) => error.code === code);
}
