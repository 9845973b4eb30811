import type { AttackGroup } from '../attack.ts';
import { paymentRaces } from './payment-races.ts';
import { openRaceRig, type RaceRig } from './rig.ts';
import { sessionRaces } from './session-races.ts';
import { sweepAndJudge } from './sweep-and-judge.ts';
import { sweepRaces } from './sweep-races.ts';

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
