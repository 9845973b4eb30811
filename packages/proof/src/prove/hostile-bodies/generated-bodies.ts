import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expectBooksBalanced } from '../../../../../apps/api/test/books/compare-ledgers.ts';
import { guestSale, payAsGuest } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { CALLS, type CallName, type Request } from '../../../../../apps/api/test/hostile/calls.ts';
import {
  bentBodies,
  brokenBodies,
  type GeneratedBody,
  randomBodies,
} from '../../../../../apps/api/test/hostile/generate-bodies.ts';
import { judgeAnswer, judgeRefusal } from '../../../../../apps/api/test/hostile/judge-answer.ts';
import type { Victim } from '../../../../../apps/api/test/hostile/victim.ts';
import type { Attack } from '../attack.ts';
import type { HostileBodiesRig } from './rig.ts';

/** Ten runs make twenty thousand. */
const BODIES = 2_000;
const AT_ONCE = 25;

/** Invalid on purpose, so that no generated body takes money or stores a card. */
const MADE_UP = { paymentKey: 'made-up', paymentMethodId: 'made-up' };
/** Valid bodies of these are slow to process, so there are few of them, from a single address. */
const HASHING: readonly CallName[] = ['login', 'register', 'confirmResetPassword', 'acceptInvite'];

/** Ten wrong passwords would end the session that the others need. */
const ASKING_AGAIN: readonly CallName[] = ['changeEmail', 'changePassword', 'exportData', 'closeAccount'];

type Shot = GeneratedBody & { name: CallName };

type Shooting = HostileBodiesRig & {
  /** The account that is harmed if a bad body is accepted. */
  victim: Victim;
  /** The account and franchise that office calls may switch off or spoil. */
  bystander: Victim;
};

function goodRequest({ portal, victim, bystander }: Shooting, name: CallName): Request {
  return portal.goodRequest(name, CALLS[name].key === 'office' ? bystander : victim);
}

function shotsAt(shooting: Shooting, name: CallName): fc.Arbitrary<Shot> {
  const schema = shooting.schemas.get(name) ?? {};
  const good = goodRequest(shooting, name).payload as Record<string, unknown>;
  const made = Object.entries(MADE_UP).filter(([field]) => field in good);
  const harmless = { ...good, ...Object.fromEntries(made) };
  const broken = brokenBodies(schema, good);
  if (ASKING_AGAIN.includes(name)) return broken.map((generated) => ({ ...generated, name }));
  const open = fc.oneof(bentBodies(schema, harmless), randomBodies(schema));
  const weight = HASHING.includes(name) || made.length > 0 ? 1 : 5;
  return fc
    .oneof({ arbitrary: broken, weight: 10 }, { arbitrary: open, weight })
    .map((generated) => ({ ...generated, name }));
}

/** Sends a body; returns the status, and what is wrong with the answer. */
async function fire(
  shooting: Shooting,
  { name, body, isBroken }: Shot,
): Promise<{ status: number; faults: string[] }> {
  const request = { ...goodRequest(shooting, name), payload: JSON.stringify(body) ?? '' };
  if (HASHING.includes(name)) request.headers['x-forwarded-for'] = '10.255.255.1';
  const answer = await shooting.portal.send(request);
  const status = answer.statusCode;
  const faults = shooting.api.judge(request, answer);
  if (status >= 500) faults.push(answer.body);
  const mayQuote = name === 'importRows';
  if (isBroken) faults.push(...judgeRefusal(answer, 400, { mayQuote }));
  else if (status >= 400) faults.push(...judgeRefusal(answer, status, { mayQuote }));
  // The answer holds the franchise's settings, so it may quote the request.
  else faults.push(...judgeAnswer(answer, { mayQuote: name === 'franchise' }));
  return { status, faults };
}

export const generatedBodies: Attack<HostileBodiesRig>[] = [
  {
    id: 'IN01',
    name: 'two thousand bodies made from the contract break nothing, and charge nothing',
    runs: 10,
    async run(rig, { random }) {
      const { portal, schemas } = rig;
      const victim = await portal.makeVictim();
      const shooting = { ...rig, victim, bystander: await portal.makeVictim() };
      const ledgerBefore = await portal.emulator.ledger();
      const statuses = new Map<number, number>();
      const anyShot = fc.oneof(...[...schemas.keys()].map((name) => shotsAt(shooting, name)));
      await fc.assert(
        fc.asyncProperty(fc.array(anyShot, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (shots) => {
          const fired = await Promise.all(
            shots.map(async (shot) => ({ ...shot, ...(await fire(shooting, shot)) })),
          );
          for (const { name, body, status, faults } of fired) {
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            if (faults.length > 0) throw new Error(`${name} ${JSON.stringify(body)}: ${faults.join('; ')}`);
          }
        }),
        { numRuns: BODIES / AT_ONCE, seed: random.integer(2 ** 31), endOnFailure: true },
      );
      // The generator reaches everything: good bodies are accepted, and bad ones refused for many reasons.
      for (const status of [200, 204, 400, 401, 404]) assert.ok(statuses.has(status), `never ${status}`);
      assert.deepEqual(await portal.emulator.ledger(), ledgerBefore);
      await expectBooksBalanced(portal.deps, portal.emulator, { swept: false });
      const paymentKey = await portal.emulator.mintPaymentKey();
      const paid = await payAsGuest(portal, await guestSale(portal.emulator, victim, { paymentKey }));
      assert.equal(paid.statusCode, 200, paid.body);
    },
  },
];
