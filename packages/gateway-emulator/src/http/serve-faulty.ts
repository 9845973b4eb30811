import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '../call.ts';
import type { Emulator, LateWork, SlowCall } from '../emulator.ts';
import { deliverFault } from '../faults/deliver-fault.ts';
import { type Fault, OUTCOME_FAULTS } from '../faults/fault.ts';
import { spoilAnswer } from '../faults/spoil-answer.ts';
import type { RouteMatch } from './api-routes.ts';
import { perform } from './perform.ts';
import { sendPlan } from './send-plan.ts';

const DEFAULT_SECONDS = 30;

/** Runs the call later, without an answer. */
function putOff(emulator: Emulator, call: Call, match: RouteMatch, seconds: number): void {
  const run = async (): Promise<void> => {
    clearTimeout(late.timer);
    emulator.lateWork.delete(late);
    await perform(emulator, call, match, { isDry: false });
  };
  const late: LateWork = { run, timer: setTimeout(run, seconds * 1000).unref() };
  emulator.lateWork.add(late);
}

/** Waits that many seconds, or until told to continue. */
async function holdUp(emulator: Emulator, invoice: string, seconds: number): Promise<void> {
  const told = new AbortController();
  const slow: SlowCall = { invoice, goOn: () => told.abort() };
  emulator.slowCalls.add(slow);
  try {
    const signal = AbortSignal.any([emulator.stopped, told.signal]);
    await wait(seconds * 1000, undefined, { ref: false, signal });
  } catch (reason) {
    if (!told.signal.aborted) throw reason;
  } finally {
    emulator.slowCalls.delete(slow);
  }
}

/** Serves a call with a fault: its effect, its content and its delivery. */
export async function serveFaulty(
  emulator: Emulator,
  call: Call,
  match: RouteMatch,
  { fault, invoice }: { fault: Fault; invoice: string },
  response: ServerResponse,
): Promise<void> {
  if (fault.fault === 'late') return putOff(emulator, call, match, fault.seconds ?? DEFAULT_SECONDS);
  const pause = () => holdUp(emulator, invoice, fault.seconds ?? DEFAULT_SECONDS);
  const isSlow = fault.fault === 'slow';
  if (isSlow && fault.when === 'before') await pause();
  const forcedOutcome = OUTCOME_FAULTS.find((name) => name === fault.fault);
  const forced = forcedOutcome ? { forcedOutcome } : {};
  const isDry = fault.when === 'before' && !isSlow;
  const plan = spoilAnswer(fault, call, await perform(emulator, { ...call, ...forced }, match, { isDry }));
  if (isSlow && fault.when === 'after') await pause();
  if (!deliverFault(response, fault, JSON.stringify(plan.body))) sendPlan(response, plan);
}
