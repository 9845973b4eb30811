import type { AttackGroup } from '../attack.ts';
import { paymentRaces } from '../races/payment-races.ts';
import { openRaceRig, type RaceRig } from '../races/rig.ts';
import { sessionRaces } from '../races/session-races.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';
import { sweepRaces } from '../races/sweep-races.ts';

/** Races between people: the same key twice, the same invoice, overlapping payments, sessions, two sweeps. */
const races: AttackGroup<RaceRig> = {
  open: openRaceRig,
  async judge(rig) {
    const told = rig.told.splice(0);
    const wrong = await sweepAndJudge(rig.instances[0].deps, { emulator: rig.emulator, told });
    return [...wrong, ...rig.errors.take()];
  },
  close: (rig) => rig.close(),
  attacks: [...paymentRaces, ...sessionRaces, ...sweepRaces],
};

export default races;
