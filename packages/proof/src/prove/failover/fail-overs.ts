import type { Attack } from '../attack.ts';
import { askPatroni } from './ask-patroni.ts';
import { isPrimary, untilTrue } from './cluster.ts';
import { mayCut } from './network.ts';
import type { DataNode } from './nodes/data-node.ts';
import { cancelWaits, commitsAlone, countCaptured, isInRecovery, receiversOf } from './nodes/on-node.ts';
import type { FailoverRig } from './rig.ts';
import { defineAttack, type Scene, seconds } from './under-load.ts';

const CUT_SECONDS = 30;
const AWAY_SECONDS = 20;
const SWITCH_OVERS = 5;

export const failOvers: Attack<FailoverRig>[] = [
  defineAttack(
    'FO1',
    'kill -9 of the primary: another leads, and no acknowledged commit is lost',
    async (scene) => {
      scene.primary.killPostgres();
      await anotherLeads(scene);
    },
  ),
  defineAttack('FO2', 'Patroni and Postgres killed together: the same after the ttl', async (scene) => {
    await scene.primary.patroni.kill();
    scene.primary.killPostgres();
    await anotherLeads(scene);
  }),
  defineAttack(
    'FO3',
    'Patroni is gone and Postgres lives on: the old primary acknowledges nothing, and HAProxy drops its sessions',
    async (scene) => {
      const { rig, primary } = scene;
      await primary.patroni.kill();
      await anotherLeads(scene);
      await acknowledgesNothing(rig, primary);
    },
  ),
  defineAttack(
    'FO4',
    'Postgres stands still and wakes after the promotion: its late answers count for nothing',
    async (scene) => {
      const { rig, primary } = scene;
      await primary.stopPostgres();
      await anotherLeads(scene);
      await primary.patroni.kill();
      await primary.wakePostgres();
      await acknowledgesNothing(rig, primary);
    },
  ),
  // Only root can give a node a network that can be cut.
  ...(mayCut()
    ? [
        defineAttack(
          'FO5',
          "the primary's link is cut for half a minute: another leads, and the old one is rewound and follows",
          async (scene) => {
            const { rig, primary } = scene;
            rig.cluster.network.cut(primary.name);
            await Promise.all([anotherLeads(scene), seconds(CUT_SECONDS)]);
            rig.cluster.network.mend(primary.name);
            await untilTrue(
              'the old primary follows',
              async () => (await isInRecovery(rig, primary)) === true,
            );
          },
        ),
      ]
    : []),
  defineAttack(
    'FO6',
    'the standby that is waited for is killed: a pause, and nothing is lost',
    async (scene) => {
      const members = await scene.rig.cluster.members();
      const waitedFor = members.find(({ role }) => role === 'sync_standby')?.name;
      const standby = scene.standbys.find(({ name }) => name === waitedFor);
      if (!standby) throw new Error('no standby is waited for');
      await standby.patroni.kill();
      standby.killPostgres();
    },
  ),
  defineAttack(
    'FO7',
    'both standbys are killed: writes hear 503 in time, reads are served, and it goes on by itself',
    async ({ load, standbys }) => {
      for (const standby of standbys) {
        await standby.patroni.kill();
        standby.killPostgres();
      }
      await seconds(AWAY_SECONDS / 2);
      const middle = performance.now();
      const during = (times: number[]) => times.filter((time) => time > middle).length;
      await untilTrue('writes hear 503', () => during(load.refusedAt) > 0);
      await untilTrue('reads are served', () => during(load.readAt) > 0);
      await seconds(AWAY_SECONDS / 2);
      if (during(load.paidAt) > 0) throw new Error('somebody heard "paid" without a standby');
      for (const standby of standbys) standby.patroni.start();
    },
  ),
  defineAttack('FO8', 'two of three etcd are killed: never two primaries', async ({ rig }) => {
    const { cluster } = rig;
    const [one, other] = cluster.etcds;
    await Promise.all([one?.kill(), other?.kill()]);
    const until = performance.now() + AWAY_SECONDS * 1_000;
    while (performance.now() < until) {
      const leading = await Promise.all(cluster.nodes.map(isPrimary));
      const writing = await Promise.all(
        cluster.nodes.map(async (node) => (await isInRecovery(rig, node)) === false),
      );
      for (const primaries of [leading, writing]) {
        if (primaries.filter(Boolean).length > 1) throw new Error('there were two primaries');
      }
      await seconds(0.5);
    }
    one?.start();
    other?.start();
  }),
  defineAttack(
    'FO9',
    'five switch-overs in a row: nothing is lost, and nothing happens twice',
    async ({ rig: { cluster } }) => {
      for (let count = 0; count < SWITCH_OVERS; count++) {
        await cluster.heal();
        const leader = await cluster.leader();
        const next = (await cluster.members()).find(({ role }) => role === 'sync_standby');
        await askPatroni(leader, '/switchover', { leader: leader.name, candidate: next?.name });
        await untilTrue('the other leads', async () => (await cluster.leader()).name === next?.name);
      }
    },
  ),
  defineAttack(
    'FO10',
    'waits of commits are canceled at the server, which then dies: nobody heard "paid", and nothing is captured',
    async (scene) => {
      const { rig, primary, standbys } = scene;
      const receivers = await receiversOf(rig, standbys);
      receivers.stop();
      let canceled = 0;
      try {
        await untilTrue('waits are canceled', async () => {
          canceled += await cancelWaits(rig, primary);
          return canceled >= 5;
        });
        await primary.patroni.kill();
        primary.killPostgres();
      } finally {
        receivers.wake();
      }
      await anotherLeads(scene);
    },
    // A portal may have read a canceled commit, which the next primary lacks.
    { mayHold: true },
  ),
  defineAttack(
    'FO11',
    'the standbys lag while captures run: nothing is captured before its lease is acknowledged',
    async ({ rig, standbys }) => {
      const receivers = await receiversOf(rig, standbys);
      receivers.stop();
      try {
        // Charges leased before the fault are captured by now.
        await seconds(4);
        const before = await countCaptured(rig);
        await seconds(8);
        const captured = (await countCaptured(rig)) - before;
        if (captured > 0)
          throw new Error(`${captured} were captured on a lease that nobody has acknowledged`);
      } finally {
        receivers.wake();
      }
    },
  ),
];

/** Patroni calls it primary as soon as it holds the lock; until it is promoted, it still replicates the old one. */
async function anotherLeads({ rig, primary }: Scene): Promise<void> {
  const others = rig.cluster.nodes.filter((node) => node !== primary);
  const leads = async (node: DataNode) =>
    (await isPrimary(node)) && (await isInRecovery(rig, node)) === false;
  await untilTrue('another leads', async () => (await Promise.all(others.map(leads))).includes(true));
}

/** Clients that still reach the old primary never get their commit acknowledged. */
async function acknowledgesNothing(rig: FailoverRig, old: DataNode): Promise<void> {
  const answer = await commitsAlone(rig, old);
  if (answer === 'committed') throw new Error('the old primary has acknowledged a commit');
}
