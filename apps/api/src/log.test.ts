import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
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

describe('standard output', () => {
  const run = (script: string) => {
    const log = JSON.stringify(new URL('./log.ts', import.meta.url).href);
    const program = `import { createLog } from ${log}; const log = createLog('info'); ${script}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };

  test('that nobody reads keeps nothing else waiting', async () => {
    const child = run(`
      let rounds = 0;
      setInterval(() => {
        for (let line = 0; line < 1_000; line++) log.info({ line }, 'x'.repeat(500));
        if (++rounds === 20) process.stderr.write(String(process.memoryUsage().rss < 300e6));
      }, 1);`);
    const [said] = await once(child.stderr, 'data');
    expect(String(said)).toBe('true');
  });

  test('has every line when the process ends', async () => {
    const child = run(
      `for (let line = 0; line < 1_000; line++) log.info({ line }, 'said'); process.exit(1);`,
    );
    const lines = (await text(child.stdout)).trimEnd().split('\n');
    expect(lines).toHaveLength(1_000);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ line: 999, msg: 'said' });
  });
});
