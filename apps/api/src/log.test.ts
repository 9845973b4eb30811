import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestApp } from '../test/build-test-app.ts';
import { describeError } from './log.ts';

const portal = useTestApp();

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('a failed statement is logged without the values it was given', async () => {
  const db = portal.deps.db;
  const throughDrizzle = await failureOf(db.query.execute(sql`SELECT ${'zoe@example.com'}::integer`));
  const throughPool = await failureOf(db.pool.query('SELECT $1::integer', ['zoe@example.com']));

  for (const error of [throughDrizzle, throughPool]) {
    const line = JSON.stringify(describeError(error));
    expect(line).toContain('22P02');
    expect(line).toContain('log.test.ts');
    expect(line).not.toContain('zoe@example.com');
  }
});

test('logs any other error with its message, stack and cause', () => {
  const error = new Error('no keys', { cause: new TypeError('not a function') });
  expect(describeError(error)).toMatchObject({
    type: 'Error',
    message: 'no keys',
    stack: expect.stringContaining('log.test.ts'),
    cause: { type: 'TypeError', message: 'not a function' },
  });
});

test('logs only the type of what is not an error', () => {
  expect(describeError('secret')).toEqual({ type: 'string' });
});

test.each([
  ['no account of zoe.o+1@example.com here', 'no account of [email] here'],
  ['bad number 4000 1000 1111 2224', 'bad number [number]'],
  ['key eyJhbGciOiJIUzI1NiJ9eyJzdWIiOiIxIn0 refused', 'key [token] refused'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'],
])('removes personal data from an error’s message: %s', (message, written) => {
  expect(describeError(new Error(message))).toMatchObject({ message: written });
});
