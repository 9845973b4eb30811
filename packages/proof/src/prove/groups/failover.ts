import type { AttackGroup } from '../attack.ts';
import { type FailoverBench, openFailoverBench } from '../failover/bench.ts';
import { failOvers } from '../failover/fail-overs.ts';
import { missingPrograms } from '../failover/programs.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';

/** A primary with standbys under Patroni, etcd and HAProxy, as in `deploy/ha`: whatever dies, nothing is lost. */
const failover: AttackGroup<FailoverBench> = {
  missing: missingPrograms,
  // A second process would find its addresses in use.
  isAlone: true,
  open: openFailoverBench,
  async judge(bench) {
    const { emulator, instances } = bench;
    return sweepAndJudge(instances[0].deps, { emulator, told: bench.told.splice(0) });
  },
  figures: (bench) => bench.figures,
  close: (bench) => bench.close(),
  attacks: failOvers,
};

export default failover;
