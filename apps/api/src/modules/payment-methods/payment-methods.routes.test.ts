import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { chargesOf, expectBooksBalanced } from '../../../test/books/compare-ledgers.ts';
import { sweepUntilDone } from '../../../test/books/sweep.ts';
import { call } from '../../../test/build-test-app.ts';
import { useEmulator } from '../../../test/emulator.ts';
import { usePaymentsApp } from '../../../test/factories/payments/payments.ts';
import { addCard } from '../../../test/factories/unpaid-invoices.ts';
import { signInUser } from '../../../test/factories/users.ts';
import { createSecretBox } from '../../crypto/secret-box.ts';
import { countStaleSecrets } from '../../crypto/stale-secrets.queries.ts';
import { paymentMethod } from '../../db/schema/payments.ts';
import { cardPlace } from './card-place.ts';
import { resealCards } from './reseal-cards.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);
const db = () => portal.deps.db.query;

const PATH = '/usaepay/portal/paymentmethods';
const list = (token: string) => call(portal, 'GET', PATH, { token });
const add = (token: string, body: unknown, headers: Record<string, string> = {}) =>
  call(portal, 'POST', PATH, { token, body, headers });
const remove = (token: string, id: string) => call(portal, 'DELETE', `${PATH}/${id}`, { token });

const DECLINED_CARD = '4000300611112224';
const newCard = async (given: Record<string, unknown> = {}, card?: string) => ({
  paymentKey: await emulator.mintPaymentKey(card === undefined ? {} : { card }),
  maskedCard: '4000xxxxxxxx2224',
  street: 'Maple Street 12',
  postalCode: '62704',
  ...given,
});

beforeEach(async () => {
  await emulator.clearFaults();
  // All tests share one address, by which declines are counted.
  await portal.deps.db.pool.query('DELETE FROM limit_counter');
});

describe('adding a card', () => {
  test('stores the provider’s description, and releases the hold', async () => {
    const user = await signInUser(portal);

    const answer = await add(user.token, await newCard({ maskedCard: '5555 xxxx 9999' }));

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({});
    expect((await list(user.token)).json()).toEqual([
      {
        id: expect.any(String),
        maskedCard: 'xxxx2224',
        brand: 'Visa',
        expires: '2030-12',
        expired: false,
        addAgain: false,
      },
    ]);
    await sweepUntilDone(portal.deps);
    await expectBooksBalanced(portal.deps, emulator);
  });

  describe('whose approval carries no token', () => {
    /** Adds a card while the approval takes so long. Returns the time that the call for the token was given. */
    async function addSlowly(token: string, takesMilliseconds: number) {
      const { gateways } = portal.deps;
      const given: number[] = [];
      const now = performance.now.bind(performance);
      const clock = vi.spyOn(performance, 'now');
      portal.deps.gateways = {
        ...gateways,
        of: (keys) => {
          const gateway = gateways.of(keys);
          return {
            ...gateway,
            async authorize(request) {
              const outcome = await gateway.authorize(request);
              clock.mockImplementation(() => now() + takesMilliseconds);
              return outcome.kind === 'approved' ? { ...outcome, savedCard: null } : outcome;
            },
            makeCardToken(asked) {
              given.push(asked.millisecondsLeft());
              return gateway.makeCardToken(asked);
            },
          };
        },
      };
      try {
        return { answer: await add(token, await newCard()), given };
      } finally {
        portal.deps.gateways = gateways;
        clock.mockRestore();
      }
    }

    test('gets one within the time that is left', async () => {
      const { token } = await signInUser(portal);
      const { answer, given } = await addSlowly(token, 10_000);
      expect(answer.statusCode).toBe(200);
      expect(given).toHaveLength(1);
      expect(given[0]).toBeLessThanOrEqual(15_000);
    });

    test('is not added if that time is too short for another call', async () => {
      const { token } = await signInUser(portal);
      const { answer, given } = await addSlowly(token, 21_000);
      expect([answer.statusCode, given]).toEqual([503, []]);
      expect(answer.json().errors[0].code).toBe('NotCharged');
      expect((await list(token)).json()).toEqual([]);
    });
  });

  test('sends the provider street and postal code, and stores the token encrypted', async () => {
    const user = await signInUser(portal);
    const id = await addCard(portal, emulator, user);
    const [row] = await db().select().from(paymentMethod).where(eq(paymentMethod.id, id));
    const token = portal.deps.secretBox.open(row?.cardToken ?? '', cardPlace(row?.id ?? ''));
    expect(token.length).toBeGreaterThan(10);
    expect(row?.cardToken).not.toContain(token);
    expect(JSON.stringify((await list(user.token)).json())).not.toContain(token);
  });

  test('pressed twice with the same key adds one card', async () => {
    const user = await signInUser(portal);
    const headers = { 'idempotency-key': 'add-once' };
    const answers = await Promise.all([
      add(user.token, await newCard(), headers),
      add(user.token, await newCard(), headers),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
    expect((await list(user.token)).json()).toHaveLength(1);
  });

  test('pressed again while the first press goes on says what to press in a moment', async () => {
    const user = await signInUser(portal);
    const headers = { 'idempotency-key': 'add-slowly' };
    const [first, second] = [await newCard(), await newCard()];
    const goOn = await emulator.hold({ when: 'before', command: 'cc:authonly' });
    const adding = add(user.token, first, headers);
    await expect.poll(async () => (await chargesOf(portal.deps)).at(-1)?.state).toBe('authorising');
    const again = await add(user.token, second, headers);
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({
      detail:
        'This card is still being added. Press Add Payment Method again in a moment to check; it will not be added twice.',
      errors: [{ code: 'InProgress' }],
    });
    await goOn();
    expect((await adding).statusCode).toBe(200);
    expect((await add(user.token, second, headers)).statusCode).toBe(200);
    expect((await list(user.token)).json()).toHaveLength(1);
  });

  test('replayed after its card was deleted does not say that it was added, and a new key adds it', async () => {
    const user = await signInUser(portal);
    const [first, second] = [await newCard(), await newCard()];
    const headers = { 'idempotency-key': 'add-delete-add' };
    await add(user.token, first, headers);
    const [added] = (await list(user.token)).json();
    expect((await add(user.token, second, headers)).statusCode).toBe(200);
    await remove(user.token, added.id);
    const again = await add(user.token, second, headers);
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({
      detail:
        'This card was added earlier and has been deleted since. Press Add Payment Method again to add it.',
      errors: [{ code: 'CardDeleted' }],
    });
    expect((await add(user.token, second, { 'idempotency-key': 'anew' })).statusCode).toBe(200);
    expect((await list(user.token)).json()).toHaveLength(1);
  });

  test('stores no declined card, and says why', async () => {
    const user = await signInUser(portal);
    const answer = await add(user.token, await newCard({}, DECLINED_CARD));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      detail: expect.stringMatching(/Your card was not charged\.$/),
      errors: [{ code: 'NotCharged' }, { code: 'Declined' }],
    });
    expect((await list(user.token)).json()).toEqual([]);
    expect((await add(user.token, await newCard())).statusCode).toBe(200);
  });

  test('makes the next one wait after five declines in an hour', async () => {
    const user = await signInUser(portal);
    for (let count = 0; count < 5; count++) {
      expect((await add(user.token, await newCard({}, DECLINED_CARD))).statusCode).toBe(400);
    }
    const refused = await add(user.token, await newCard());
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    const other = await signInUser(portal);
    expect((await add(other.token, await newCard())).statusCode).toBe(200);
  });

  test('after twenty cards of a month the next one has to wait, however good they were; replays do not count', async () => {
    const user = await signInUser(portal);
    const bodies = await Promise.all(Array.from({ length: 20 }, () => newCard()));
    for (const body of bodies) expect((await add(user.token, body)).statusCode).toBe(200);
    expect((await add(user.token, bodies[0])).statusCode).toBe(200);
    const refused = await add(user.token, await newCard());
    expect(refused.statusCode).toBe(429);
    expect(refused.json().detail).toBe('Too many cards were tried.');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(29 * 86_400);
  });

  test('replays a decline, even while the next card has to wait', async () => {
    const user = await signInUser(portal);
    const bodies = await Promise.all(Array.from({ length: 5 }, () => newCard({}, DECLINED_CARD)));
    const first = await add(user.token, bodies[0], { 'idempotency-key': 'first' });
    for (const body of bodies.slice(1)) await add(user.token, body);
    expect((await add(user.token, await newCard())).statusCode).toBe(429);

    const repeats = [
      await add(user.token, await newCard(), { 'idempotency-key': 'first' }),
      // Without an idempotency key, a repeat is recognized by its payment key.
      await add(user.token, bodies[4]),
    ];
    for (const repeat of repeats) {
      expect(repeat.statusCode).toBe(400);
      expect(repeat.headers['idempotency-replayed']).toBe('true');
      expect(repeat.json()).toEqual(first.json());
    }
  });

  test('with a lost answer stores no card, and leaves no hold', async () => {
    const user = await signInUser(portal);
    await emulator.script({ fault: 'reset', when: 'after', command: 'cc:authonly' });
    const answer = await add(user.token, await newCard());
    expect(answer.statusCode).toBe(503);
    expect((await list(user.token)).json()).toEqual([]);
    await sweepUntilDone(portal.deps);
    await expectBooksBalanced(portal.deps, emulator);
  });

  test.each([
    ['no card details', { paymentKey: undefined }, 'Please enter your card details.'],
    ['blank card details', { paymentKey: ' ' }, 'Please enter your card details.'],
    ['card details that are a list', { paymentKey: ['key'] }, 'Please enter your card details.'],
    [
      'a card number for card details',
      { paymentKey: '4000 1000 1111 2224' },
      'Please take the card number out of your card details.',
    ],
    [
      'a card number for a street',
      { street: '4000100011112224' },
      'Please take the card number out of your street.',
    ],
    ['a whole card number', { maskedCard: '4000100011112224' }, 'Please enter your card again.'],
    ['a masked card with words', { maskedCard: '<b>card</b>' }, 'Please enter your card again.'],
    ['no street', { street: undefined }, 'Please enter your street.'],
    ['a blank street', { street: '  ' }, 'Please enter your street.'],
    ['a long street', { street: 'x'.repeat(201) }, 'Please shorten your street to 200 characters.'],
    ['no postal code', { postalCode: null }, 'Please enter your postal code.'],
    ['a postal code with a NUL', { postalCode: '6\u0000' }, 'Please check your postal code.'],
    ['an unknown field', { userId: 'someone' }, 'This field is not known.'],
  ])('refuses %s without asking the provider', async (_what, given, detail) => {
    const user = await signInUser(portal);
    const before = await emulator.ledger();
    const answer = await add(user.token, { ...(await newCard()), ...given });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ status: 400, detail });
    expect(await emulator.ledger()).toHaveLength(before.length);
  });

  test('treats a made-up payment key as a decline', async () => {
    const user = await signInUser(portal);
    const answer = await add(user.token, await newCard({ paymentKey: 'made-up' }));
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([{ code: 'NotCharged' }, { code: 'Declined' }]);
  });
});

describe('listing cards', () => {
  test('shows each user their own, oldest first, with expired ones marked', async () => {
    const user = await signInUser(portal);
    const other = await signInUser(portal);
    const first = await addCard(portal, emulator, user);
    const second = await addCard(portal, emulator, { ...user, card: '5555444433332226' });
    await addCard(portal, emulator, other);
    await db().update(paymentMethod).set({ expiresMonth: '2026-10-01' }).where(eq(paymentMethod.id, second));

    expect((await list(user.token)).json()).toEqual([
      {
        id: first,
        maskedCard: 'xxxx2224',
        brand: 'Visa',
        expires: '2030-12',
        expired: false,
        addAgain: false,
      },
      {
        id: second,
        maskedCard: 'xxxx2226',
        brand: 'Mastercard',
        expires: '2026-10',
        expired: true,
        addAgain: false,
      },
    ]);
  });
});

describe('a new data key', () => {
  test('reseals every card, so that the old key can be removed', async () => {
    const user = await signInUser(portal);
    const id = await addCard(portal, emulator, user);
    const tokenOf = async () => {
      const [row] = await db().select().from(paymentMethod).where(eq(paymentMethod.id, id));
      return row?.cardToken ?? '';
    };
    const token = portal.deps.secretBox.open(await tokenOf(), cardPlace(id));
    const newest = 'the newest data key of this test';

    const rotated = { ...portal.deps, secretBox: createSecretBox([newest, ...portal.deps.env.DATA_KEY]) };
    const cards = (await db().select().from(paymentMethod)).length;
    const left = () => countStaleSecrets(db(), rotated.secretBox);
    const before = await left();
    await Promise.all([resealCards(rotated), resealCards(rotated)]);
    expect(before - (await left())).toBe(cards);

    expect(createSecretBox([newest]).open(await tokenOf(), cardPlace(id))).toBe(token);
    const sealed = await tokenOf();
    await resealCards(rotated);
    expect(await tokenOf()).toBe(sealed);
    await resealCards({
      ...portal.deps,
      secretBox: createSecretBox([...portal.deps.env.DATA_KEY, newest]),
    });
  });
});

describe('deleting a card', () => {
  test('removes it at once, even while the provider is down', async () => {
    const user = await signInUser(portal);
    const id = await addCard(portal, emulator, user);
    await emulator.script({ fault: 'reset', command: '*', times: 50 });

    const answer = await remove(user.token, id);

    expect(answer.statusCode).toBe(204);
    expect((await list(user.token)).json()).toEqual([]);
    expect(await db().select().from(paymentMethod).where(eq(paymentMethod.id, id))).toEqual([]);
  });

  test.each([
    ['somebody else’s card', async () => addCard(portal, emulator, await signInUser(portal))],
    ['a card that does not exist', async () => '00000000-0000-4000-8000-000000000000'],
    ['what is no id', async () => 'card'],
  ])('%s is not found, and stays', async (_what, idOf) => {
    const user = await signInUser(portal);
    const id = await idOf();
    const answer = await remove(user.token, id);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      title: 'Not Found',
      status: 404,
      detail: 'Payment method not found.',
      errors: [],
    });
    if (id.startsWith('0000') || id === 'card') return;
    expect(await db().select().from(paymentMethod).where(eq(paymentMethod.id, id))).toHaveLength(1);
  });
});
