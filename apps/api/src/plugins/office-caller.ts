import type { OfficeEndpoint } from '@brightpane/contract/office-endpoints';
import type { Right } from '@brightpane/contract/office-rights';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { notAllowed, personNeeded, sessionIdle, signedOut, signInExpired } from '../http/office.problems.ts';
import type { OfficeCaller } from '../http/office-caller.ts';

/** Identifies the caller by key or cookie; null without either. Throws if the one given is invalid. */
export type IdentifyCaller = (request: FastifyRequest) => Promise<OfficeCaller | null>;

/** Admits callers before the body is read: checks first who it is, then whether they have the right. */
export const officeCaller = fastifyPlugin<{ identify: IdentifyCaller }>(async (app, { identify }) => {
  app.decorateRequest('caller', null as unknown as OfficeCaller);
  app.addHook('onRoute', ({ url, config }) => {
    if (!config?.office) throw new Error(`${url} is no call of OFFICE_ENDPOINTS`);
  });
  app.addHook('onRequest', async (request) => {
    const endpoint = request.routeOptions.config.office;
    if (!endpoint) return;
    const caller = await identify(request);
    if (caller) request.caller = caller;
    if (endpoint.from === 'anybody') return;
    requireLevel(endpoint, caller);
    requireRight(endpoint, caller);
  });
});

function requireLevel({ from }: OfficeEndpoint, caller: OfficeCaller | null): asserts caller is OfficeCaller {
  if (!caller) throw from === 'password' || from === 'enrol' ? signInExpired() : signedOut();
  if (caller.kind === 'key') return;
  const level = caller.session?.level;
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
