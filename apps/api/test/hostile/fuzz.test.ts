import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { expectBooksBalanced } from '../books.ts';
import { guestSale, payAsGuest } from '../factories/payments.ts';
import { CALLS, type CallName, type Request } from './calls.ts';
import { type DescribedApi, readApi } from './described-api.ts';
import {
  bentBodies,
  brokenBodies,
  type GeneratedBody,
  randomBodies,
  type Schema,
} from './generate-bodies.ts';
import { useHostilePortal } from './hostile-portal.ts';
import { judgeAnswer, judgeRefusal } from './judge-answer.ts';
import type { Victim } from './victim.ts';

const BODIES = 20_000;
const AT_ONCE = 25;
const SEED = 20_261_115;

const portal = useHostilePortal();
let victim: Victim;
/** Whose account an office may switch off, and whose franchise it may spoil. */
let bystander: Victim;
let api: DescribedApi;
let schemas: Map<CallName, Schema>;

/** All but the one that closes payments, which would end the test. */
const NAMES = (Object.keys(CALLS) as CallName[]).filter(
  (name) => 'body' in CALLS[name] && name !== 'restored',
);
/** What would take money or keep a card, were it not for these. */
const MADE_UP = { paymentKey: 'made-up', paymentMethodId: 'made-up' };
/** A good body of these is worked at for long, so few are, and all come from one address. */
const HASHING: readonly CallName[] = ['login', 'register', 'confirmResetPassword', 'acceptInvite'];

beforeAll(async () => {
  victim = await portal.makeVictim();
  bystander = await portal.makeVictim();
  api = await readApi(portal);
  const { paths } = (await portal.app.inject('/api/openapi.json')).json();
  schemas = new Map(
    NAMES.map((name) => {
      const { method, url } = goodRequest(name);
      const path = Object.keys(paths).find((candidate) =>
        new RegExp(`^/api${candidate.replace(/\{\w+\}/g, '[^/]+')}$`).test(url),
      );
      const { content } = paths[path ?? ''][method.toLowerCase()].requestBody;
      return [name, content['application/json'].schema];
    }),
  );
});

const isOffice = (name: CallName) => CALLS[name].key === 'office';
const goodRequest = (name: CallName): Request =>
  portal.goodRequest(name, isOffice(name) ? bystander : victim);

type Shot = GeneratedBody & { name: CallName };

function shotsAt(name: CallName): fc.Arbitrary<Shot> {
  const schema = schemas.get(name) ?? {};
  const good = goodRequest(name).payload as Record<string, unknown>;
  const made = Object.entries(MADE_UP).filter(([field]) => field in good);
  const harmless = { ...good, ...Object.fromEntries(made) };
  const broken = brokenBodies(schema, good);
  const open = fc.oneof(bentBodies(schema, harmless), randomBodies(schema));
  const weight = HASHING.includes(name) || made.length > 0 ? 1 : 5;
  return fc
    .oneof({ arbitrary: broken, weight: 10 }, { arbitrary: open, weight })
    .map((generated) => ({ ...generated, name }));
}

/** What was answered, and what is wrong about it. */
async function fire({ name, body, isBroken }: Shot): Promise<{ status: number; faults: string[] }> {
  const request = { ...goodRequest(name), payload: JSON.stringify(body) ?? '' };
  if (HASHING.includes(name)) request.headers['x-forwarded-for'] = '10.255.255.1';
  const answer = await portal.send(request);
  const status = answer.statusCode;
  const faults = api.judge(request, answer);
  if (status >= 500) faults.push(answer.body);
  const mayQuote = name === 'importRows';
  if (isBroken) faults.push(...judgeRefusal(answer, 400, { mayQuote }));
  else if (status >= 400) faults.push(...judgeRefusal(answer, status, { mayQuote }));
  // A franchise's settings are answered as they now are.
  else faults.push(...judgeAnswer(answer, { mayQuote: name === 'franchise' }));
  return { status, faults };
}

test('twenty thousand bodies made from the contract break nothing, and charge nothing', async () => {
  const ledgerBefore = await portal.emulator.ledger();
  const statuses = new Map<number, number>();
  const anyShot = fc.oneof(...NAMES.map(shotsAt));
  await fc.assert(
    fc.asyncProperty(fc.array(anyShot, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (shots) => {
      const fired = await Promise.all(shots.map(async (shot) => ({ ...shot, ...(await fire(shot)) })));
      for (const { name, body, status, faults } of fired) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (faults.length > 0) throw new Error(`${name} ${JSON.stringify(body)}: ${faults.join('; ')}`);
      }
    }),
    { numRuns: BODIES / AT_ONCE, seed: SEED, endOnFailure: true },
  );

  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(BODIES);
  // The generator is not blind: what is good is taken, and what is refused is refused for many reasons.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 204, 400, 401, 404]));
  expect(await portal.emulator.ledger()).toEqual(ledgerBefore);
  await expectBooksBalanced(portal.deps, portal.emulator, { swept: false });
  const sale = await guestSale(portal.emulator, victim, { paymentKey: victim.paymentKey });
  const paid = await payAsGuest(portal, sale);
  expect(paid.statusCode, paid.body).toBe(200);
}, 600_000);
