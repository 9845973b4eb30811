import type { AttackGroup } from '../attack.ts';
import { openRaceBench, type RaceBench } from '../races/bench.ts';
import { paymentRaces } from '../races/payment-races.ts';
import { sessionRaces } from '../races/session-races.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';
import { sweepRaces } from '../races/sweep-races.ts';

/** Races between people: the same key twice, the same invoice, overlapping payments, sessions, two sweeps. */
const races: AttackGroup<RaceBench> = {
  open: openRaceBench,
  async judge(bench) {
    const told = bench.told.splice(0);
    const wrong = await sweepAndJudge(bench.instances[0].deps, { emulator: bench.emulator, told });
    return [...wrong, ...bench.errors.take()];
  },
  close: (bench) => bench.close(),
  attacks: [...paymentRaces, ...sessionRaces, ...sweepRaces],
};

export default races;
