import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { useCuttingProxy } from '../../../../test/database/cutting-proxy.ts';
import { notAllowed } from '../../../http/office.problems.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { countExport } from './export-limits.ts';
import { openExport } from './open-export.ts';

const line = useCuttingProxy();
const portal = useTestApp();

const makePerson = () => ({ kind: 'staff', id: randomUUID(), name: 'a@staff.example' }) as OfficeCaller;

const openFor = (
  caller: OfficeCaller,
  {
    rows = 1,
    record = async () => {},
    stalledMilliseconds = 30_000,
    databaseUrl = portal.deps.env.DATABASE_URL,
  } = {},
) =>
  openExport<{ number: number }>(
    { ...portal.deps, env: { ...portal.deps.env, DATABASE_URL: databaseUrl } },
    {
      caller,
      statement: sql`SELECT number FROM generate_series(1, ${rows}::integer) AS number`,
      columns: ['number'],
      present: ({ number }) => [number],
      record,
    },
    { longestMilliseconds: 600_000, stalledMilliseconds },
  );

async function refusalOf(opening: Promise<unknown>) {
  const refused = await opening.then(
    () => null,
    (error: { body: { status: number; errors: { code: string }[] }; headers: Record<string, string> }) =>
      error,
  );
  return [refused?.body.status, refused?.body.errors[0]?.code, refused?.headers['retry-after']];
}

describe('exports', () => {
  test('run one at a time per person, and the next begins when it has ended', async () => {
    const person = makePerson();
    const first = await openFor(person, { rows: 2_500 });
    expect(await refusalOf(openFor(person))).toEqual([429, 'ExportUnderWay', '10']);
    expect((await text(first)).trimEnd().split('\r\n')).toHaveLength(2_501);
    expect(await text(await openFor(person))).toContain('1\r\n');
  });

  test('run two at a time per instance, even if a reader has left', async () => {
    const underWay = [await openFor(makePerson()), await openFor(makePerson())];
    expect(await refusalOf(openFor(makePerson()))).toEqual([503, 'ExportsBusy', '10']);
    for (const stream of underWay) {
      stream.destroy();
      await new Promise((gone) => stream.once('close', gone));
    }
    expect(await text(await openFor(makePerson()))).toContain('1\r\n');
  });

  test('leave their place to others when a reader takes nothing', async () => {
    for (let count = 0; count < 2; count++) {
      const unread = await openFor(makePerson(), { rows: 2_500, stalledMilliseconds: 1 });
      await new Promise((cutOff) => unread.once('error', cutOff));
    }
    expect(await text(await openFor(makePerson()))).toContain('1\r\n');
  });

  test('leave their place to others when the database has gone silent and the reader leaves', async () => {
    const databaseUrl = line.through(portal.deps.env.DATABASE_URL);
    for (let count = 0; count < 2; count++) {
      const stream = await openFor(makePerson(), { rows: 2_500, databaseUrl });
      line.silence();
      stream.resume();
      await once(stream, 'data');
      stream.destroy();
      await once(stream, 'close');
    }
    expect(await text(await openFor(makePerson()))).toContain('1\r\n');
  });

  test('are limited to ten an hour and fifty a day, without counting refused ones', async () => {
    const person = makePerson();
    const record = async () => {
      throw notAllowed();
    };
    for (let count = 0; count < 12; count++)
      expect(await refusalOf(openFor(person, { record }))).toEqual([403, 'NotAllowed', undefined]);
    for (let hour = 0; hour < 5; hour++) {
      for (let count = 0; count < 10; count++) await text(await openFor(person));
      expect((await refusalOf(openFor(person)))[0]).toBe(429);
      portal.now = new Date(portal.now.getTime() + 3_600_000);
    }
    const [status, code, wait] = await refusalOf(openFor(person));
    expect([status, code]).toEqual([429, 'TooManyAttempts']);
    expect(Number(wait)).toBe(19 * 3_600);
  });

  test('are limited though others are counted between the check and the count', async () => {
    const person = makePerson();
    const record = async () => {
      for (let count = 0; count < 10; count++) await countExport(portal.deps, portal.deps.db.query, person);
    };
    expect((await refusalOf(openFor(person, { record })))[0]).toBe(429);
  });
});
