import type { AttackGroup } from '../attack.ts';
import { type FailoverBench, openFailoverBench } from '../failover/bench.ts';
import { failOvers } from '../failover/fail-overs.ts';
import { missingPrograms } from '../failover/programs.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';

/** A primary with its standbys, by Patroni, etcd and HAProxy, as `deploy/ha` sets them up: whatever dies, nothing is lost. */
const failover: AttackGroup<FailoverBench> = {
  missing: missingPrograms,
  // Its addresses are taken by then.
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
