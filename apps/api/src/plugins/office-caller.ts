import type { OfficeEndpoint } from '@brightpane/contract/office-endpoints';
import type { Right } from '@brightpane/contract/office-rights';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { notAllowed, personNeeded, sessionIdle, signedOut, signInExpired } from '../http/office.problems.ts';
import type { OfficeCaller } from '../http/office-caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether an office call's caller was admitted before the whole body was here. */
    isBodyAwaited: boolean;
  }
}

/** Identifies the caller by key or cookie; null without either. Throws if the one given is invalid. */
export type IdentifyCaller = (request: FastifyRequest) => Promise<OfficeCaller | null>;

/**
 * Admits callers before the body is read, so that nobody else may send one: checks first who it is, then whether they
 * have the right. Asks again once a slow body has come, as the right may have gone meanwhile.
 */
export const officeCaller = fastifyPlugin<{ identify: IdentifyCaller }>(async (app, { identify }) => {
  app.decorateRequest<OfficeCaller, 'caller'>('caller', null as unknown as OfficeCaller);
  app.decorateRequest('isBodyAwaited', false);
  app.addHook('onRoute', ({ url, config }) => {
    if (!config?.office) throw new Error(`${url} is no call of OFFICE_ENDPOINTS`);
  });
  const admit = async (request: FastifyRequest) => {
    const endpoint = request.routeOptions.config.office;
    if (!endpoint) return;
    const caller = await identify(request);
    if (caller) request.caller = caller;
    if (endpoint.from === 'anybody') return;
    requireLevel(endpoint, caller);
    requireRight(endpoint, caller);
  };
  app.addHook('onRequest', async (request) => {
    await admit(request);
    request.isBodyAwaited = isBodyAwaited(request);
  });
  app.addHook('preValidation', async (request) => {
    if (request.isBodyAwaited) await admit(request);
  });
});

/** Whether parsing has to wait for the body. An import reads its own, and asks again itself. */
function isBodyAwaited({ raw, method, routeOptions: { config } }: FastifyRequest): boolean {
  const isOfRoute = method === 'GET' || method === 'HEAD' || config.receiveSeconds !== undefined;
  return config.office !== undefined && !isOfRoute && !raw.complete;
}

function requireLevel({ from }: OfficeEndpoint, caller: OfficeCaller | null): asserts caller is OfficeCaller {
  if (!caller) throw from === 'password' || from === 'enrol' ? signInExpired() : signedOut();
  if (caller.kind === 'key') return;
  const { level } = caller.session;
  if (level === 'full' && from !== 'password') return;
  if (level === from) return;
  if (from === 'password') throw signInExpired();
  throw level === 'idle' ? sessionIdle() : signedOut();
}

function requireRight({ right, keys, forAll }: OfficeEndpoint, caller: OfficeCaller): void {
  if (right !== null && !caller.rights.has(right as Right)) throw notAllowed();
  if (forAll && !caller.isForAll) throw notAllowed();
  if (caller.kind === 'staff') {
    if (keys === 'only' || keys === 'operator-only') throw notAllowed();
    return;
  }
  if (keys === false) throw personNeeded();
  if (typeof keys === 'string' && keys !== 'only' && !caller.isOperator) throw notAllowed();
}
