import { randomUUID } from 'node:crypto';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep, sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import {
  type Refundable,
  requestRefundOfEach,
} from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { callConsole } from '../../../../../apps/api/test/office/office-people.ts';
import { beginRun, type CrashRig } from '../crash-points/rig.ts';
import { must } from '../provider-faults/payments.ts';
import { actAgain, countActs, dieOver, signIn, type Who } from './people.ts';
import { KINDS, type Kind, type RefundPoint } from './refund-cases.ts';
import { type CrashAttack, idOf, mustBe, mustEnd, partsOf, pay, rowOf, wordsOf } from './refund-sales.ts';

/** The repeat succeeds if nothing was done before, and finds nothing to do otherwise. */
const codeOf = (isDone: boolean) => (isDone ? 409 : 200);

/** An attack in which a person acts on refunds, in a process that dies meanwhile. */
function decision(
  point: RefundPoint,
  kind: Kind,
  run: (rig: CrashRig, who: Who) => Promise<void>,
): CrashAttack {
  return {
    id: `C${idOf(point)} ${kind}`,
    name: `a decision dies ${wordsOf(point)}, and is done once or not at all`,
    runs: 1,
    async run(rig) {
      const { portal } = rig;
      const { now } = portal;
      // Resets the engine's clock first, so that her session starts by it.
      await beginRun(rig);
      try {
        await run(rig, await signIn(rig));
      } finally {
        // Each code took half a minute, which must not expire the sessions of later runs.
        portal.now = now;
      }
    },
  };
}

/** Requests refunds that need another person's approval. */
async function askAboveLimit(rig: CrashRig, kind: Kind): Promise<{ sales: Refundable[]; ids: string[] }> {
  const sales = await pay(rig, kind);
  const ids = await requestRefundOfEach(rig.portal.deps, sales, { ...partsOf(kind), needsApproval: true });
  return { sales, ids };
}

const approvals = (
  [
    ['R03-inside-approval', false],
    ['R04-approved', true],
  ] as const
).flatMap(([point, isDone]) =>
  KINDS.map((kind) =>
    decision(point, kind, async (rig, who) => {
      const { sales, ids } = await askAboveLimit(rig, kind);
      const act = { path: `/refunds/${ids[0]}/approve`, body: {} };
      await dieOver(rig, who, { point, ...act });
      await mustBe(rig, sales, isDone ? 'waiting' : 'requested');
      must((await actAgain(rig, who, act)) === codeOf(isDone), 'the repeat was answered otherwise');
      await mustEnd(rig, sales, kind);
      await mustBe(rig, sales, 'made');
      must((await countActs(rig, ids[0], 'approve')) === 1, 'it is not written once who approved it');
    }),
  ),
);

const withdrawals = KINDS.map((kind) =>
  decision('R05-inside-withdrawal', kind, async (rig, who) => {
    const { sales, ids } = await askAboveLimit(rig, kind);
    const act = (id: string | undefined) => ({
      path: `/refunds/${id}/withdraw`,
      body: { note: 'A mistake.' },
    });
    await dieOver(rig, who, { point: 'R05-inside-withdrawal', ...act(ids[0]) });
    await mustBe(rig, sales, 'requested');
    for (const id of ids) {
      const { path, body } = act(id);
      const again = await callConsole(rig.portal, 'POST', path, { cookie: who.cookie, body });
      must(again.statusCode === 200, `the repeat was answered ${again.body}`);
      must((await countActs(rig, id, 'withdraw')) === 1, 'it is not written once who withdrew it');
    }
    await sweepUntilDone(rig.portal.deps);
    await mustBe(rig, sales, 'withdrawn');
  }),
);

/** Makes the first refund by hand at the provider, so that the portal's own request for it is held. */
async function holdFirst(
  rig: CrashRig,
  kind: Kind,
): Promise<{ sales: Refundable[]; id: string | undefined; key: string }> {
  const { emulator, portal } = rig;
  const sales = await pay(rig, kind);
  const row = await rowOf(rig, sales[0]);
  const command = kind === 'void' ? { command: 'void' } : { command: 'refund', amount: '50.00' };
  const made = await emulator.callAs(row.merchant, 'POST', '/transactions', { ...command, trankey: row.key });
  const [id] = await requestRefundOfEach(portal.deps, sales, partsOf(kind));
  await sweep(portal.deps);
  await mustBe(rig, sales.slice(0, 1), 'held');
  return { sales, id, key: kind === 'void' ? row.key : String(made.key) };
}

const adoptions = (
  [
    ['R26-decision-asked', false],
    ['R27-inside-decision', false],
    ['R28-decided', true],
  ] as const
).flatMap(([point, isDone]) =>
  KINDS.map((kind) =>
    decision(point, kind, async (rig, who) => {
      const { sales, id, key } = await holdFirst(rig, kind);
      const body = { decision: 'adopt', transactionKey: key, note: 'Made by hand.' };
      const act = { path: `/refunds/${id}/decide`, body };
      await dieOver(rig, who, { point, ...act });
      await mustBe(rig, sales.slice(0, 1), isDone ? 'made' : 'held');
      await advanceEngineClock(rig.portal.deps, 61);
      must((await actAgain(rig, who, act)) === codeOf(isDone), 'the repeat was answered otherwise');
      await mustEnd(rig, sales, kind);
      await mustBe(rig, sales, 'made');
      must((await countActs(rig, id, 'adopt')) === 1, 'it is not written once who decided it');
    }),
  ),
);

/** Sends a refund again that was ruled out. */
const sentAgain = (['part', 'three'] as const).map((kind) =>
  decision('R29-inside-again', kind, async (rig) => {
    const { emulator, portal, processes } = rig;
    const sales = await pay(rig, kind);
    const [sale, ...others] = sales;
    const [id] = await requestRefundOfEach(portal.deps, sales, partsOf(kind));
    await emulator.script({ fault: 'reset', when: 'before', command: 'refund', orderId: sale?.orderId });
    await sweepUntilDone(portal.deps);
    await mustBe(rig, sales.slice(0, 1), 'not_made');
    const path = `/office/refunds/${id}/send-again`;
    const key = randomUUID();
    const crashing = await processes.crashAt('R29-inside-again');
    await crashing.post(path, {}, { token: TEST_SECRETS.officeApiKey, key });
    await crashing.killed();
    await mustBe(rig, sales.slice(0, 1), 'not_made');
    const headers = { authorization: `Bearer ${TEST_SECRETS.officeApiKey}`, 'idempotency-key': key };
    for (const isReplayed of [false, true]) {
      const again = await portal.app.inject({ method: 'POST', url: `/api${path}`, headers, payload: {} });
      must(again.statusCode === 202, `the repeat was answered ${again.body}`);
      must((again.headers['idempotency-replayed'] === 'true') === isReplayed, 'it was not sent again once');
    }
    await sweepUntilDone(portal.deps);
    await mustBe(rig, sales.slice(0, 1), 'not_made', 'made');
    await mustEnd(rig, others, kind);
  }),
);

/** The provider took a refund back, and a person undoes it here. */
const undoings = KINDS.map((kind) =>
  decision('R32-inside-undo', kind, async (rig, who) => {
    const { emulator, portal } = rig;
    const sales = await pay(rig, kind);
    const [id] = await requestRefundOfEach(portal.deps, sales, partsOf(kind));
    // The provider can take back a void, but not a release.
    await emulator.switch({ releaseRefused: 'captured' });
    try {
      await sweep(portal.deps);
    } finally {
      await emulator.switch({ releaseRefused: 'settled' });
    }
    await mustBe(rig, sales, 'made');
    const { merchant, key } = await rowOf(rig, sales[0], kind === 'void' ? 'V' : 'C');
    const command = kind === 'void' ? 'unvoid' : 'void';
    const taken = await emulator.callAs(merchant, 'POST', '/transactions', { command, trankey: key });
    must(taken.result_code === 'A', `taking it back was answered ${JSON.stringify(taken)}`);
    const act = { path: `/refunds/${id}/decide`, body: { decision: 'not-made', note: 'Taken back.' } };
    await dieOver(rig, who, { point: 'R32-inside-undo', ...act });
    must((await countActs(rig, id, 'undo')) === 0, 'it is written that it was undone');
    await advanceEngineClock(portal.deps, 61);
    must((await actAgain(rig, who, act)) === 200, 'the repeat was refused');
    must((await countActs(rig, id, 'undo')) === 1, 'it is not written once who undid it');
  }),
);

/** Crashes at every point that a person's decision passes. */
export const decisionCrashes: CrashAttack[] = [
  ...approvals,
  ...withdrawals,
  ...adoptions,
  ...sentAgain,
  ...undoings,
];
