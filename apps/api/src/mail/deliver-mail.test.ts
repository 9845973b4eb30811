import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { advanceEngineClock } from '../../test/books/engine-clock.ts';
import { useTestApp } from '../../test/build-test-app.ts';
import { useMailServer } from '../../test/mail/mail-server.ts';
import { outgoingMail } from '../db/schema/operations.ts';
import { endWaitsAhead } from '../jobs/lanes/end-waits-ahead.ts';
import { listSilent } from '../jobs/lanes/list-silent.ts';
import { deliverMail } from './deliver-mail.ts';
import { mailLayout } from './layout.ts';
import { leaseDueMails } from './mail.queries.ts';
import { queueMail } from './queue-mail.queries.ts';

const DAY_SECONDS = 86_400;
const mailServer = useMailServer();
const portal = useTestApp();

const content = mailLayout({
  subject: 'Paid\r\nBcc: everybody@example.com',
  parts: [{ kind: 'paragraph', text: 'Zoë <b>O’Hara</b> & Co paid.' }],
});

const deps = () => ({ ...portal.deps, env: { ...portal.deps.env, SMTP_URL: mailServer.url } });
const queue = (recipient = 'zoe@example.com') =>
  portal.deps.db.transaction((tx) => queueMail(tx, { kind: 'payment-receipt', recipient, content }));
const rows = () => portal.deps.db.query.select().from(outgoingMail);
const silent = () => listSilent(portal.deps.db.query, { publicUrl: portal.deps.env.PUBLIC_URL });
const makeDue = () =>
  portal.deps.db.query
    .update(outgoingMail)
    .set({ nextTryAt: sql`clock_timestamp()` })
    .where(sql`${outgoingMail.nextTryAt} IS NOT NULL`);

beforeEach(() => portal.deps.db.query.delete(outgoingMail));

test('sends a queued mail once, as text and HTML, and clears its content', async () => {
  await queue();

  await deliverMail(deps());
  await deliverMail(deps());

  expect(mailServer.received).toHaveLength(1);
  const [mail] = mailServer.received;
  const [row] = await rows();
  expect(mail).toMatchObject({
    messageId: `<${row?.id}@pay.example.com>`,
    text: expect.stringContaining('Zoë <b>O’Hara</b> & Co paid.'),
    from: { name: 'Brightpane', address: 'pay@example.com' },
    to: [{ address: 'zoe@example.com' }],
  });
  expect(mail?.html).toContain('Zoë &lt;b&gt;O’Hara&lt;/b&gt; &amp; Co paid.');
  expect(row).toMatchObject({ sentAt: expect.any(Date), content: {}, nextTryAt: null });
});

test('a line break in a subject adds no header', async () => {
  await queue();
  await deliverMail(deps());
  expect(mailServer.received[0]?.subject).toBe('Paid Bcc: everybody@example.com');
  expect(mailServer.received[0]?.bcc).toBeUndefined();
});

test('never sends a mail whose transaction is rolled back', async () => {
  const rollBack = portal.deps.db.transaction(async (tx) => {
    await queueMail(tx, { kind: 'payment-receipt', recipient: 'zoe@example.com', content });
    throw new Error('rolled back');
  });
  await expect(rollBack).rejects.toThrow('rolled back');
  await deliverMail(deps());
  expect(mailServer.received).toEqual([]);
});

test('retries a refused mail under the same message id', async () => {
  mailServer.refuseNext(1, 451);
  await queue();

  await deliverMail(deps());
  expect(mailServer.received).toHaveLength(0);
  const [waiting] = await rows();
  expect(waiting?.nextTryAt?.getTime()).toBeGreaterThan(Date.now());

  await makeDue();
  await deliverMail(deps());
  expect(mailServer.received[0]?.messageId).toBe(`<${waiting?.id}@pay.example.com>`);
});

test.each(['RCPT TO', 'DATA'] as const)(
  'gives up a mail after ten permanent refusals at %s, without holding up others',
  async (step) => {
    mailServer.refuseNext(10, 550, step);
    await queue();
    for (let attempt = 0; attempt < 10; attempt++) {
      await deliverMail(deps());
      await makeDue();
    }
    await queue();
    await deliverMail(deps());

    expect(mailServer.received).toHaveLength(1);
    const given = await rows();
    expect(given.filter((row) => row.sentAt === null)).toMatchObject([{ nextTryAt: null, attempts: 10 }]);
  },
);

test.each(['the connection', 'MAIL FROM'] as const)(
  'a server that refuses %s for hours costs a mail nothing but time',
  async (step) => {
    mailServer.refuseNext(15, 554, step);
    await queue();
    for (let attempt = 0; attempt < 15; attempt++) {
      await deliverMail(deps());
      await advanceEngineClock(portal.deps, 3_601);
    }
    expect(await rows()).toMatchObject([{ attempts: 0, refusals: 0 }]);
    await deliverMail(deps());
    expect(mailServer.received).toHaveLength(1);
  },
);

test('gives up a mail after two days, and not before', async () => {
  await queue();
  const attempt = async () => {
    mailServer.refuseNext(1, 451);
    await makeDue();
    await deliverMail(deps());
    return (await rows())[0];
  };
  await advanceEngineClock(portal.deps, 2 * DAY_SECONDS - 600);
  expect(await attempt()).toMatchObject({ attempts: 1, nextTryAt: expect.any(Date) });
  await advanceEngineClock(portal.deps, 1200);
  expect(await attempt()).toMatchObject({ attempts: 2, nextTryAt: null, sentAt: null });
});

test('a server that is down costs a mail nothing but time', async () => {
  await queue();
  await deliverMail({ ...portal.deps, env: { ...portal.deps.env, SMTP_URL: 'smtp://127.0.0.1:1' } });
  await advanceEngineClock(portal.deps, 60);
  await deliverMail(deps());
  expect(mailServer.received).toHaveLength(1);
});

test('an outage of 25 minutes costs a mail at most a rest of five minutes more', async () => {
  const down = { ...portal.deps, env: { ...portal.deps.env, SMTP_URL: 'smtp://127.0.0.1:1' } };
  await queue();
  const during = async (minutes: number, now: typeof down) => {
    for (let step = 0; step < minutes * 2 && mailServer.received.length === 0; step++) {
      await deliverMail(now);
      await advanceEngineClock(portal.deps, 30);
    }
  };
  await during(25, down);
  expect(await silent()).toEqual(['mail server']);

  await during(5, deps());
  expect(mailServer.received).toHaveLength(1);
  expect(await silent()).toEqual([]);
});

test('a server is not named as silent once no mail waits for it any more', async () => {
  const down = { ...portal.deps, env: { ...portal.deps.env, SMTP_URL: 'smtp://127.0.0.1:1' } };
  await queue();
  for (let rest = 0; rest < 3; rest++) {
    await deliverMail(down);
    await advanceEngineClock(portal.deps, 301);
  }
  expect(await silent()).toEqual(['mail server']);

  await advanceEngineClock(portal.deps, 2 * DAY_SECONDS);
  await deliverMail(down);
  expect(await rows()).toMatchObject([{ sentAt: null, nextTryAt: null }]);
  expect(await silent()).toEqual([]);

  await queue();
  await deliverMail(deps());
  expect(mailServer.received).toHaveLength(0);
  await advanceEngineClock(portal.deps, 301);
  await deliverMail(deps());
  expect(mailServer.received).toHaveLength(1);
});

test('an outage does not count as tries of a mail that is refused once it is over', async () => {
  const down = { ...portal.deps, env: { ...portal.deps.env, SMTP_URL: 'smtp://127.0.0.1:1' } };
  await queue();
  for (let rest = 0; rest < 8; rest++) {
    await deliverMail(down);
    await advanceEngineClock(portal.deps, 301);
  }
  mailServer.refuseNext(1, 451);
  await deliverMail(deps());
  expect(mailServer.received).toHaveLength(0);
  await advanceEngineClock(portal.deps, 60);
  await deliverMail(deps());
  expect(mailServer.received).toHaveLength(1);
});

test('tries one mail per rest while the server is down, and resumes for all once it is sent', async () => {
  const down = { ...portal.deps, env: { ...portal.deps.env, SMTP_URL: 'smtp://127.0.0.1:1' } };
  for (let count = 0; count < 10; count++) await queue();
  const attempts = async () => (await rows()).reduce((sum, row) => sum + row.fence, 0);
  await deliverMail(down);
  const first = await attempts();
  expect(first).toBeLessThanOrEqual(4);
  await deliverMail(down);
  expect(await attempts()).toBe(first);
  for (let rest = 1; rest <= 3; rest++) {
    await advanceEngineClock(portal.deps, 301);
    await Promise.all([deliverMail(down), deliverMail(down)]);
    expect(await attempts()).toBe(first + rest);
  }
  await advanceEngineClock(portal.deps, 3_601);
  await deliverMail(deps());
  expect(mailServer.received).toHaveLength(10);
});

test.each(['RCPT TO', 'DATA'] as const)(
  'a mail at whose %s the server hangs backs off on its own, and keeps no other mail waiting',
  async (step) => {
    mailServer.hangUpOn('hangs@example.com', step);
    await queue('hangs@example.com');
    const during = async (minutes: number) => {
      for (let round = 0; round < minutes * 2; round++) {
        await deliverMail(deps());
        await advanceEngineClock(portal.deps, 30);
      }
    };
    await during(30);
    await queue();
    await during(1);
    expect(mailServer.received).toHaveLength(1);

    await during(329);
    const [hanging] = (await rows()).filter((row) => row.sentAt === null);
    expect(hanging?.fence).toBeLessThanOrEqual(12);
    expect(hanging).toMatchObject({
      attempts: hanging?.fence,
      refusals: 0,
      nextTryAt: expect.any(Date),
    });
  },
);

test('a server that was down while the engine’s clock was ahead is tried again at once', async () => {
  await advanceEngineClock(portal.deps, 10 * DAY_SECONDS);
  await queue();
  await deliverMail({ ...portal.deps, env: { ...portal.deps.env, SMTP_URL: 'smtp://127.0.0.1:1' } });
  await advanceEngineClock(portal.deps, -10 * DAY_SECONDS);
  await queue();
  await deliverMail(deps());
  expect(mailServer.received).toHaveLength(1);
});

test.each<[string, () => Promise<unknown>]>([
  ['not tried', async () => {}],
  ['tried by a sender that died', () => leaseDueMails(portal.deps.db.query, { most: 1 })],
])(
  'a mail queued while the engine’s clock was ahead, and %s, is sent once the clock is set back',
  async (_, meanwhile) => {
    await advanceEngineClock(portal.deps, 10 * DAY_SECONDS);
    await queue();
    await meanwhile();
    await advanceEngineClock(portal.deps, -10 * DAY_SECONDS);
    await deliverMail(deps());
    expect(mailServer.received).toHaveLength(0);
    await endWaitsAhead(portal.deps);
    await deliverMail(deps());
    expect(mailServer.received).toHaveLength(1);
  },
);

test('sends each mail once from two instances', async () => {
  for (let count = 0; count < 5; count++) await queue();
  await Promise.all([deliverMail(deps()), deliverMail(deps()), deliverMail(deps())]);
  expect(mailServer.received).toHaveLength(5);
});

test('a sender paused past its lease does not mark what another has sent', async () => {
  await queue();
  const [row] = await rows();
  if (!row) throw new Error('no mail');
  const { leaseDueMails, markMailSent, postponeMail } = await import('./mail.queries.ts');
  const [paused] = await leaseDueMails(portal.deps.db.query, { most: 1 });
  if (!paused) throw new Error('no lease');
  await portal.deps.db.query
    .update(outgoingMail)
    .set({ leaseUntil: sql`clock_timestamp() - interval '1 second'` })
    .where(eq(outgoingMail.id, row.id));
  const [other] = await leaseDueMails(portal.deps.db.query, { most: 1 });
  if (!other) throw new Error('no second lease');
  await markMailSent(portal.deps.db.query, other);

  expect(await postponeMail(portal.deps.db.query, paused, { seconds: 3600 })).toBe(false);
  const [after] = await rows();
  expect(after).toMatchObject({ sentAt: expect.any(Date), nextTryAt: null });
});
