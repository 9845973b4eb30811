import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import { type Attack, attacksOf, type Round } from '../attack.ts';
import { KINDS, type Kind, mustHear, newPayment, type Payment, payAgain, press } from './payments.ts';
import { resolve } from './resolve.ts';
import { beginRun, type FaultRig, IMPATIENT } from './rig.ts';

export type FaultAttack = Attack<FaultRig>;
export type Fault = Record<string, unknown>;

export const attack = attacksOf<FaultRig>(beginRun);

/** Cycles through the kinds, shifted each time all variants have been used. */
export function kindOf({ run }: Round, variants: readonly unknown[] = []): Kind {
  const shift = variants.length % KINDS.length === 0 ? Math.floor(run / Math.max(1, variants.length)) : 0;
  return KINDS[(run + shift) % KINDS.length] ?? 'guest';
}

/** Uses every variant once before repeating any. */
export function variantOf<Variant>({ run }: Round, variants: readonly Variant[]): Variant {
  const variant = variants[run % variants.length];
  if (variant === undefined) throw new Error('no variants');
  return variant;
}

/** Which of a payment's holds, captures or releases the fault hits; payments on three accounts take turns. */
export function placeIn({ run }: Round, { kind }: Payment): number {
  return kind === 'three' ? Math.floor(run / KINDS.length) % KINDS.length : 0;
}

/** A payment whose hold fails and whose payer is told "not charged". */
export async function failToAuthorize(
  rig: FaultRig,
  round: Round,
  fault: Fault,
  kind: Kind = kindOf(round),
): Promise<Payment> {
  const payment = await newPayment(rig, kind);
  await rig.emulator.script({ command: 'authonly', after: placeIn(round, payment), ...fault });
  rig.reach(IMPATIENT);
  mustHear(await press(rig, payment), 'not charged');
  rig.reach();
  return payment;
}

/** An accepted payment, ready for the next sweep to capture. */
export async function pay(rig: FaultRig, kind: Kind): Promise<Payment> {
  const payment = await newPayment(rig, kind);
  await payAgain(rig, payment);
  return payment;
}

/** How long the portal waits before it looks for a lost hold. */
export const LOOK_UP_SECONDS = 6;

/** The calls that move money. */
export const VERBS = ['authonly', 'capture', 'void'] as const;
export type Verb = (typeof VERBS)[number];

/**
 * Attacks one of our calls. If it is a hold, the payer is told "not charged" and pays again at once; otherwise nobody
 * hears of it, and the sweep finishes it anyway. `arm` gets how many calls of this name pass first.
 */
export async function attackCall(
  rig: FaultRig,
  round: Round,
  name: Verb | 'get' | 'list',
  arm: (after: number) => void | Promise<void>,
  kind: Kind = kindOf(round),
): Promise<void> {
  if (name === 'capture') {
    const payment = await pay(rig, kind);
    await arm(placeIn(round, payment));
    await sweepImpatiently(rig);
  } else if (name === 'authonly') {
    const payment = await newPayment(rig, kind);
    await arm(placeIn(round, payment));
    rig.reach(IMPATIENT);
    mustHear(await press(rig, payment), 'not charged');
    rig.reach();
    await payAgain(rig, payment);
  } else {
    const payment = await failToAuthorize(rig, round, { fault: 'verify' }, kind);
    await arm(name === 'void' ? placeIn(round, payment) : 0);
    await sweepImpatiently(rig);
    await payAgain(rig, payment);
  }
  await resolve(rig, round);
}

export const attackVerb = (rig: FaultRig, round: Round, verb: Verb, fault: Fault): Promise<void> =>
  attackCall(rig, round, verb, (after) => rig.emulator.script({ command: verb, after, ...fault }));

/** A sweep that soon gives up on a silent provider. */
export async function sweepImpatiently(rig: FaultRig): Promise<void> {
  rig.reach(IMPATIENT);
  await sweepAfter(rig, LOOK_UP_SECONDS);
  rig.reach();
}

export async function sweepAfter({ portal }: FaultRig, seconds: number): Promise<void> {
  await advanceEngineClock(portal.deps, seconds);
  await sweep(portal.deps);
}

/** The same, moving the provider's clock too. */
export async function sweepAfterBoth(rig: FaultRig, seconds: number): Promise<void> {
  await rig.emulator.advanceClock(seconds);
  rig.run.providerAheadSeconds += seconds;
  await sweepAfter(rig, seconds);
}
