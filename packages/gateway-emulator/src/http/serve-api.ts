import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { authenticate } from '../authentication.ts';
import type { Call, Plan } from '../call.ts';
import { resolveCard, textOf } from '../cards/resolve-card.ts';
import { outcomeOf } from '../cards/test-cards.ts';
import { findOriginal } from '../commands/find-original.ts';
import { foldingPrint } from '../commands/folding.ts';
import { centsOf } from '../dollars.ts';
import type { Emulator, LateWork } from '../emulator.ts';
import { deliverFault } from '../faults/deliver-fault.ts';
import type { Fault } from '../faults/fault.ts';
import type { CallMark } from '../faults/fault-book.ts';
import { spoilAnswer } from '../faults/spoil-answer.ts';
import { refusal, transactionError } from '../refusal.ts';
import { matchRoute, type RouteMatch } from './api-routes.ts';
import { readJson } from './read-json.ts';

const OUTCOMES: string[] = ['partial', 'verify', 'error'];

function sendPlan(response: ServerResponse, plan: Plan): void {
  if (response.destroyed) return;
  const json = JSON.stringify(plan.body);
  response.writeHead(plan.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
  });
  response.end(json);
}

function markOf(call: Call, { route }: RouteMatch): CallMark {
  const isTransaction = route.name === 'transaction';
  const named = isTransaction
    ? findOriginal(call)
    : call.ledger.transactionOf(call.merchant.name, call.params.key ?? '');
  return {
    name: isTransaction ? textOf(call.body.command) : route.name,
    isTransaction,
    orderId: textOf(call.body.orderid) || textOf(named?.fields.orderid),
  };
}

/** Some test cards keep the processor busy for a while, during which a twin of the charge is refused. */
async function waitForProcessor(emulator: Emulator, call: Call): Promise<{ leave: () => void } | undefined> {
  const resolved = resolveCard(call);
  const cents = centsOf(call.body.amount);
  if (!resolved.ok || cents === undefined) return { leave: () => undefined };
  const print = foldingPrint(call, resolved.card.number, cents);
  if (print !== '' && emulator.underWay.has(print)) return undefined;
  if (print !== '') emulator.underWay.add(print);
  const seconds = outcomeOf(resolved.card.number).delaySeconds ?? 0;
  const milliseconds = seconds * 1000 * emulator.switches.delayScale;
  if (milliseconds > 0) await wait(milliseconds, undefined, { ref: false });
  return { leave: () => emulator.underWay.delete(print) };
}

/** Plans the call on the state of this moment, and commits it unless the fault came before the effect. */
async function perform(emulator: Emulator, call: Call, match: RouteMatch, isDry: boolean): Promise<Plan> {
  const isCharge = match.route.name === 'transaction' && findOriginal(call) === undefined;
  const turn = isCharge ? await waitForProcessor(emulator, call) : { leave: () => undefined };
  if (!turn) return transactionError(93);
  try {
    const plan = match.route.handle({ ...call, now: emulator.now() });
    if (!isDry) await emulator.ledger.commit(plan.changes);
    return plan;
  } finally {
    turn.leave();
  }
}

function putOff(emulator: Emulator, call: Call, match: RouteMatch, seconds: number): void {
  const run = async (): Promise<void> => {
    clearTimeout(late.timer);
    emulator.lateWork.delete(late);
    await perform(emulator, call, match, false);
  };
  const late: LateWork = { run, timer: setTimeout(run, seconds * 1000).unref() };
  emulator.lateWork.add(late);
}

async function serveFaulty(
  emulator: Emulator,
  call: Call,
  match: RouteMatch,
  fault: Fault,
  response: ServerResponse,
): Promise<void> {
  if (fault.fault === 'late') return putOff(emulator, call, match, fault.seconds ?? 30);
  const pause = (): Promise<void> => wait((fault.seconds ?? 30) * 1000, undefined, { ref: false });
  const isSlow = fault.fault === 'slow';
  if (isSlow && fault.when === 'before') await pause();
  const forced = OUTCOMES.includes(fault.fault)
    ? { forcedOutcome: fault.fault as 'partial' | 'verify' | 'error' }
    : {};
  const isDry = fault.when === 'before' && !isSlow;
  const plan = spoilAnswer(fault, call, await perform(emulator, { ...call, ...forced }, match, isDry));
  if (isSlow && fault.when === 'after') await pause();
  if (!deliverFault(response, fault, JSON.stringify(plan.body))) sendPlan(response, plan);
}

/** One call below `/api/`. Any segment may stand in place of `v2`: it is a developer's endpoint key. */
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
  if (segment === 'IPACCESS') return sendPlan(response, refusal(401, 156));
  if (emulator.switches.rateLimit || segment === 'RATELIMT') {
    const { isExceeded, header, calls } = emulator.rateLimit.count(
      segment,
      request.socket.remoteAddress ?? '',
      now,
    );
    response.setHeader('x-rate-limit', header);
    if (isExceeded || (segment === 'RATELIMT' && calls > 1)) return sendPlan(response, refusal(429, 155));
    if (segment === 'RATELIMT') return sendPlan(response, { status: 200, body: {}, changes: [] });
  }
  const isPublicPath = path.startsWith('/pub/');
  const authentication = authenticate(request.headers.authorization, emulator.merchants, isPublicPath);
  if (!authentication.ok) return sendPlan(response, refusal(401, authentication.errorcode));
  const match = matchRoute(request.method ?? '', path);
  if (!match) return sendPlan(response, refusal(404, 21001));
  if (typeof json !== 'object' || json === null)
    return sendPlan(response, refusal(400, 21001, 'Unable to parse the request body.'));
  const call: Call = {
    merchant: authentication.merchant,
    ledger: emulator.ledger,
    switches: emulator.switches,
    body: Array.isArray(json) ? {} : (json as Record<string, unknown>),
    items: Array.isArray(json) ? json : [],
    query: url.searchParams,
    params: match.params,
    now,
  };
  const fault = emulator.faults.take(markOf(call, match));
  if (fault) return serveFaulty(emulator, call, match, fault, response);
  sendPlan(response, await perform(emulator, call, match, false));
}
