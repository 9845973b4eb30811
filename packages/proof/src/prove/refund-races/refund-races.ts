import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { cents } from '@brightpane/money/cents';
import { sql } from 'drizzle-orm';
import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep, sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import { guestSale, payAsGuest } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { type Answer, approve, ask, dispute, review, withdraw } from '../../simulation/office/clerk-acts.ts';
import type { Clerk } from '../../simulation/office/clerks.ts';
import { type Attack, attacksOf, type Round } from '../attack.ts';
import { must } from '../provider-faults/payments.ts';
import { beginRound, closeBatch, payOnce, payRest, type RefundRaceRig, type Sale } from './rig.ts';
import { measureRefunds } from './speed.ts';

type Race = Attack<RefundRaceRig>;
type Work<Result = unknown> = (deps: Deps) => Promise<Result>;

const race = attacksOf<RefundRaceRig>(beginRound);

/** Everybody acts at once, each at a random instance, within 50 ms. */
function meet<Results extends unknown[]>(
  { instances }: RefundRaceRig,
  { random }: Round,
  works: { [Index in keyof Results]: Work<Results[Index]> },
): Promise<Results> {
  return Promise.all(
    works.map(async (work) => {
      const { deps } = random.pick(instances);
      await wait(random.integer(51));
      return work(deps);
    }),
  ) as Promise<Results>;
}

const line = ({ franchiseId, workOrderNumber }: Sale) => ({ franchiseId, workOrderNumber });
const partOf = (sale: Sale, amount: number) => ({
  reason: 'complaint' as const,
  again: true,
  lines: [{ ...line(sale), amount: cents(amount), effect: 'due-again' as const }],
});
const wholeOf = (sale: Sale) => ({
  reason: 'complaint' as const,
  again: true,
  lines: [{ ...line(sale), effect: 'due-again' as const }],
});

type Body = Parameters<typeof ask>[2]['body'];

const asks =
  (clerk: Clerk, sale: Sale, body: Body, idemKey: string = randomUUID()): Work<Answer> =>
  (deps) =>
    ask(deps, clerk, { paymentId: sale.paymentId, idemKey, body });

function clerkOf({ clerks }: RefundRaceRig, index: number): Clerk {
  const clerk = clerks[index];
  if (!clerk) throw new Error(`there is no clerk ${index}`);
  return clerk;
}

async function refundsOf({ instances: [{ deps }] }: RefundRaceRig, sale: Sale) {
  const { rows } = await deps.db.query.execute<{
    refundId: string;
    state: string;
    cents: number;
    isReserved: boolean;
  }>(sql`
    SELECT id AS "refundId", state, amount_cents::integer AS cents, refund_reserves(state, undone_at) AS "isReserved"
      FROM refund WHERE charge_id = ${sale.chargeId} ORDER BY id`);
  return rows;
}

async function reservedOf(rig: RefundRaceRig, sale: Sale): Promise<number> {
  const refunds = await refundsOf(rig, sale);
  return refunds.reduce((sum, each) => sum + (each.isReserved ? each.cents : 0), 0);
}

/** A captured sale, in an open or closed batch. */
async function captured(
  rig: RefundRaceRig,
  { isSettled, limitCents }: { isSettled: boolean; limitCents?: number },
): Promise<Sale> {
  const sale = await payOnce(rig, limitCents === undefined ? {} : { limitCents });
  await sweep(rig.instances[0].deps);
  if (isSettled) await closeBatch(rig);
  return sale;
}

/** The one refund that a clerk requested. */
async function asked(rig: RefundRaceRig, sale: Sale, body: Body): Promise<string> {
  const answer = await asks(clerkOf(rig, 0), sale, body)(rig.instances[0].deps);
  must(answer.ok, `asking was refused: ${JSON.stringify(answer)}`);
  const [refund] = await refundsOf(rig, sale);
  return refund?.refundId ?? '';
}

const sweeps: Work<Answer> = async (deps) => {
  await sweep(deps);
  return { ok: false, code: 'no answer' };
};

const okOf = (answers: Answer[]) => answers.filter(({ ok }) => ok).length;

export const refundRaces: Race[] = [
  race(
    'RR01',
    'two clerks, an approver and the sweep meet on one payment: no more than was paid',
    100,
    async (rig, round) => {
      const isSettled = round.run % 2 === 0;
      const sale = await captured(rig, { isSettled, limitCents: round.run % 3 === 0 ? 0 : 60_00 });
      const approveAll: Work = async (deps) => {
        for (let time = 0; time < 4; time++) {
          for (const { refundId, state } of await refundsOf(rig, sale))
            if (state === 'requested') await approve(deps, clerkOf(rig, 2), refundId);
          await wait(round.random.integer(20));
        }
      };
      await meet(rig, round, [
        asks(clerkOf(rig, 0), sale, round.random.percent(50) ? wholeOf(sale) : partOf(sale, 70_00)),
        asks(clerkOf(rig, 1), sale, partOf(sale, 50_00)),
        approveAll,
        sweep,
        sweep,
      ]);
      must((await reservedOf(rig, sale)) <= 108_25, 'more is reserved than was paid');
    },
  ),
  race('RR02', 'two clerks ask for one rest: one gets it', 50, async (rig, round) => {
    const sale = await captured(rig, { isSettled: true });
    const answers = await meet(rig, round, [
      asks(clerkOf(rig, 0), sale, partOf(sale, 80_00)),
      asks(clerkOf(rig, 1), sale, partOf(sale, 80_00)),
    ]);
    must(okOf(answers) === 1, `${okOf(answers)} got it`);
    const [loser] = answers.filter(({ ok }) => !ok);
    must(loser?.ok === false && loser.code === 'under-way', `the other heard ${JSON.stringify(loser)}`);
  }),
  race(
    'RR03',
    'twenty clerks ask for parts of one payment: together no more than is left',
    20,
    async (rig, round) => {
      const sale = await captured(rig, { isSettled: round.run % 2 === 0 });
      const answers = await meet(
        rig,
        round,
        rig.clerks.map((clerk) => asks(clerk, sale, partOf(sale, 10_00))),
      );
      must(okOf(answers) === 10, `${okOf(answers)} of them got 10.00 of 108.25`);
      must((await reservedOf(rig, sale)) === 100_00, 'not what they were told is reserved');
    },
  ),
  race('RR04', 'two to ten clicks with one key: one request', 50, async (rig, round) => {
    const sale = await captured(rig, { isSettled: true });
    const key = randomUUID();
    const body = partOf(sale, 10_00);
    const clicks = 2 + round.random.integer(9);
    const answers = await meet(
      rig,
      round,
      Array.from({ length: clicks }, () => asks(clerkOf(rig, 0), sale, body, key)),
    );
    const told = new Set(answers.map((answer) => (answer.ok ? answer.requestId : answer.code)));
    must(okOf(answers) === clicks && told.size === 1, `they heard ${[...told]}`);
    must((await refundsOf(rig, sale)).length === 1, 'it was asked for twice');
  }),
  race('RR05', 'a refund and the settlement: one void, or one refund', 50, async (rig, round) => {
    const sale = await captured(rig, { isSettled: false });
    const refundId = await asked(rig, sale, wholeOf(sale));
    await meet(rig, round, [sweep, sweep, () => closeBatch(rig)]);
    must(refundId !== '', 'there is no refund');
  }),
  race('RR06', 'a refund and its payer paying again: no balance is paid twice', 50, async (rig, round) => {
    const sale = await captured(rig, { isSettled: true });
    await asked(rig, sale, partOf(sale, 50_00));
    const body = await guestSale(rig.emulator, sale);
    const pays: Work = () => payAsGuest(round.random.pick(rig.instances), body);
    await meet(rig, round, [sweep, pays, sweep]);
  }),
  race('RR07', 'a refund and the office’s file: booked to the cent', 50, async (rig, round) => {
    const sale = await captured(rig, { isSettled: true });
    const effect = round.run % 2 === 0 ? ('due-again' as const) : ('credited' as const);
    const body = { ...partOf(sale, 50_00), lines: [{ ...line(sale), amount: cents(50_00), effect }] };
    await asked(rig, sale, body);
    const amount = [40_00, 200_00, 108_25][round.run % 3] ?? 108_25;
    const imports: Work = ({ db }) =>
      db.query.execute(sql`UPDATE invoice SET amount_cents = ${amount} WHERE id = ${sale.invoiceId}`);
    await meet(rig, round, [sweep, imports, sweep]);
  }),
  race('RR08', 'withdrawing and sending: withdrawn and nothing sent, or too late', 50, async (rig, round) => {
    const sale = await captured(rig, { isSettled: round.run % 2 === 0 });
    const refundId = await asked(rig, sale, wholeOf(sale));
    const [answer] = await meet(rig, round, [(deps) => withdraw(deps, clerkOf(rig, 0), refundId), sweep]);
    const [refund] = await refundsOf(rig, sale);
    must(
      answer.ok === (refund?.state === 'withdrawn'),
      `withdrawing was answered ${JSON.stringify(answer)}, and it is ${refund?.state}`,
    );
  }),
  race(
    'RR09',
    'approving and withdrawing: one of them first, and never both undone',
    50,
    async (rig, round) => {
      const sale = await captured(rig, { isSettled: true, limitCents: 0 });
      const refundId = await asked(rig, sale, partOf(sale, 50_00));
      const [, taken] = await meet(rig, round, [
        (deps) => approve(deps, clerkOf(rig, 1), refundId),
        (deps) => withdraw(deps, clerkOf(rig, 0), refundId),
      ]);
      const [refund] = await refundsOf(rig, sale);
      must(taken.ok && refund?.state === 'withdrawn', `it is ${refund?.state}: ${JSON.stringify(taken)}`);
    },
  ),
  race('RR10', 'two requests at a clerk’s limit: one of them needs an approval', 30, async (rig, round) => {
    const sale = await captured(rig, { isSettled: true, limitCents: 60_00 });
    const clerk = clerkOf(rig, 0);
    const answers = await meet(rig, round, [
      asks(clerk, sale, partOf(sale, 40_00)),
      asks(clerk, sale, partOf(sale, 41_00)),
    ]);
    must(okOf(answers) === 2, 'one was refused');
    const states = (await refundsOf(rig, sale)).map(({ state }) => state).sort();
    must(states.join() === 'requested,waiting', `they are ${states}`);
  }),
  race('RR11', 'a decision and the task: one end', 20, async (rig, round) => {
    const sale = await captured(rig, { isSettled: true });
    const { emulator, instances } = rig;
    const refundId = await asked(rig, sale, partOf(sale, 50_00));
    const row = (await emulator.ledger()).find((each) => each.orderid === sale.orderId);
    const there = { command: 'refund', trankey: row?.key, amount: '50.00' };
    const made = await emulator.callAs('portal', 'POST', '/transactions', there);
    await sweep(instances[0].deps);
    const decides =
      (decision: 'adopt' | 'keep-asking', index: number): Work<Answer> =>
      (deps) =>
        review(deps, clerkOf(rig, index), { refundId, decision, transactionKey: String(made.key) });
    const answers = await meet(rig, round, [decides('adopt', 0), decides('adopt', 1), sweeps]);
    must(okOf(answers.slice(0, 2)) === 1, `two decided: ${JSON.stringify(answers)}`);
    await advanceEngineClock(instances[0].deps, 61);
  }),
  race('RR12', 'a dispute and sending: nothing starts after it', 30, async (rig, round) => {
    const sale = await captured(rig, { isSettled: round.run % 2 === 0 });
    await asked(rig, sale, wholeOf(sale));
    await meet(rig, round, [
      (deps) => dispute(deps, clerkOf(rig, 1), { chargeId: sale.chargeId, amountCents: cents(108_25) }),
      sweep,
    ]);
    await sweep(rig.instances[0].deps);
    const [refund] = await refundsOf(rig, sale);
    must(['made', 'held', 'unknown'].includes(refund?.state ?? ''), `it is ${refund?.state}`);
  }),
  race(
    'RR13',
    'a capture that fails and a request: refused, or withdrawn with it',
    20,
    async (rig, round) => {
      const sale = await payOnce(rig);
      const row = (await rig.emulator.ledger()).find((each) => each.orderid === sale.orderId);
      const there = { command: 'void', trankey: row?.key };
      await rig.emulator.callAs('portal', 'POST', '/transactions', there);
      const { deps } = rig.instances[0];
      await sweep(deps);
      await advanceEngineClock(deps, 61);
      await meet(rig, round, [asks(clerkOf(rig, 0), sale, partOf(sale, 50_00)), sweep]);
    },
  ),
  race('RR14', 'asked for at a portal that runs by itself: made without anybody', 2, (rig, round) =>
    measureRefunds(rig, {
      isSettled: round.run % 2 === 1,
      ask: (sale) => asked(rig, sale, wholeOf(sale)),
    }),
  ),
  race(
    'RR15',
    'what is overpaid is asked for of both payments of an invoice: it goes back once, and nothing falls due unannounced',
    20,
    async (rig, round) => {
      const first = await captured(rig, { isSettled: false });
      const both = [first, await payRest(rig, first)] as const;
      await closeBatch(rig);
      if (round.run % 2 === 0)
        for (const { orderId } of both)
          await rig.emulator.script({ fault: 'reset', when: 'after', command: 'refund', orderId, times: 1 });
      const askAndSweep = (sale: Sale, index: number) => async (deps: Deps) => {
        const answer = await asks(clerkOf(rig, index), sale, partOf(sale, 108_25))(deps);
        await sweep(deps);
        return answer;
      };
      const answers = await meet(rig, round, [askAndSweep(both[0], 0), askAndSweep(both[1], 1), sweeps]);
      must(okOf(answers.slice(0, 2)) === 2, `they heard ${JSON.stringify(answers)}`);
      const { deps } = rig.instances[0];
      await sweepUntilDone(deps);
      const { rows } = await deps.db.query.execute<{ balance: number; told: number }>(sql`
        SELECT i.balance_cents::integer AS balance,
               (SELECT coalesce(sum(r.amount_cents), 0)::integer FROM refund r JOIN refund_line l ON l.refund_id = r.id
                 WHERE l.invoice_id = i.id AND r.state = 'made' AND NOT l.nothing_due) AS told
          FROM invoice i WHERE i.id = ${first.invoiceId}`);
      const [{ balance, told } = { balance: -1, told: 0 }] = rows;
      must(balance === told, `${balance} cents fell due, and ${told} were said to`);
      // Whoever asks once the other refund is made is told what falls due, and gets it.
      const expected = told === 0 ? 'held,made' : 'made,made';
      const refunds = [...(await refundsOf(rig, both[0])), ...(await refundsOf(rig, both[1]))];
      const states = refunds.map(({ state }) => state).sort();
      must(states.join() === expected, `they are ${states}`);
    },
  ),
];
