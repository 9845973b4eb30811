import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call } from '../call.ts';
import { textOf } from '../cards/resolve-card.ts';
import { findOriginal } from '../commands/find-original.ts';
import type { Emulator } from '../emulator.ts';
import type { CallMark } from '../faults/fault-book.ts';
import { type Authentication, authenticate } from '../merchants/authentication.ts';
import { refusal } from '../transactions/refusal.ts';
import { matchRoute, type RouteMatch } from './api-routes.ts';
import { perform } from './perform.ts';
import { readJson } from './read-json.ts';
import { sendPlan } from './send-plan.ts';
import { serveFaulty } from './serve-faulty.ts';

function markOf(call: Call, { route }: RouteMatch): CallMark {
  const isTransaction = route.name === 'transaction';
  const named = isTransaction
    ? findOriginal(call)
    : call.ledger.transactionOf(call.merchant.name, call.params.key ?? '');
  return {
    name: isTransaction ? textOf(call.body.command) : route.name,
    isTransaction,
    orderId: textOf(call.body.orderid) || textOf(named?.fields.orderid),
    invoice: textOf(call.body.invoice) || textOf(named?.fields.invoice),
  };
}

/** Whether this address is cut off for listing too often: its connection is reset without an answer. */
function isCutOff(emulator: Emulator, address: string, match: RouteMatch | undefined, now: number): boolean {
  const { listingLimit, switches } = emulator;
  if (switches.listingsPerHour === 0 || !match || match.route.path.startsWith('/pub/')) return false;
  const isListing = match.route.name === 'list';
  if (isListing && !listingLimit.isCutOff(address, now))
    listingLimit.count(address, now, switches.listingsPerHour);
  return listingLimit.isCutOff(address, now) && (isListing || switches.cutsOffEveryCall);
}

type Attempt = { address: string; isPublicPath: boolean; now: number };

/** Signs a call in, or tells why not. Too many failures lock its address out, though not payers' browsers. */
function signIn(
  { merchants, failureLimit, switches }: Emulator,
  request: IncomingMessage,
  { address, isPublicPath, now }: Attempt,
): Authentication | { ok: false; errorcode: 10140 } {
  const perHour = isPublicPath ? 0 : switches.failedSignInsPerHour;
  if (perHour > 0 && failureLimit.isCutOff(address, now)) return { ok: false, errorcode: 10140 };
  const authentication = authenticate(request.headers.authorization, merchants, isPublicPath);
  if (perHour > 0 && !authentication.ok) failureLimit.count(address, now, perHour);
  return authentication;
}

/** Serves a call below `/api/`. A developer's endpoint key may replace `v2` in the path. */
export async function serveApi(
  emulator: Emulator,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const [, , segment = '', ...rest] = url.pathname.split('/');
  const path = `/${rest.join('/')}`;
  const json = await readJson(request);
  const now = emulator.now();
  const address = request.socket.remoteAddress ?? '';
  const match = matchRoute(request.method ?? '', path);
  if (isCutOff(emulator, address, match, now)) return void request.socket.resetAndDestroy();
  if (segment === 'IPACCESS') return sendPlan(response, refusal(401, 156));
  if (emulator.switches.rateLimit || segment === 'RATELIMT') {
    const { isExceeded, header, calls } = emulator.rateLimit.count(segment, address, now);
    response.setHeader('x-rate-limit', header);
    if (isExceeded || (segment === 'RATELIMT' && calls > 1)) return sendPlan(response, refusal(429, 155));
    if (segment === 'RATELIMT') return sendPlan(response, { status: 200, body: {}, changes: [] });
  }
  const isPublicPath = path.startsWith('/pub/');
  const authentication = signIn(emulator, request, { address, isPublicPath, now });
  if (!authentication.ok) return sendPlan(response, refusal(401, authentication.errorcode));
  if (!match) return sendPlan(response, refusal(404, 21001));
  if (typeof json !== 'object' || json === null)
    return sendPlan(response, refusal(400, 21001, 'Unable to parse the request body.'));
  const timeout = Number(request.headers.apitimeout ?? 0);
  const call: Call = {
    merchant: authentication.merchant,
    ledger: emulator.ledger,
    switches: emulator.switches,
    body: Array.isArray(json) ? {} : (json as Record<string, unknown>),
    items: Array.isArray(json) ? json : [],
    query: url.searchParams,
    params: match.params,
    now,
    ...(timeout > 0 ? { timeoutSeconds: timeout } : {}),
  };
  const mark = markOf(call, match);
  const fault = emulator.faults.take(mark);
  if (fault) return serveFaulty(emulator, call, match, { fault, invoice: mark.invoice }, response);
  sendPlan(response, await perform(emulator, call, match, { isDry: false }));
}
