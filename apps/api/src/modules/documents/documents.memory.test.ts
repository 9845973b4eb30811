import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../../../../tools/machine/find-free-port.ts';
import { testEnv, useTestApp } from '../../../test/build-test-app.ts';
import { buildServer } from '../../../test/bundle.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { invoice } from '../../db/schema/franchises.ts';
import { documentLink } from '../invoices/document-links.ts';

// Runs the portal as a separate process, to measure its memory without the tests'.

const portal = useTestApp();
let server: ChildProcess;
let origin: string;

beforeAll(async () => {
  const port = await findFreePort();
  origin = `http://127.0.0.1:${port}`;
  const { DATABASE_URL, TOKEN_SECRET, API_SECRET, OFFICE_API_KEY, MAIL_FROM } = portal.deps.env;
  server = spawn(process.execPath, [await buildServer()], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: origin,
      DATABASE_URL,
      USAEPAY_URL: 'http://127.0.0.1:1/api/v2',
      USAEPAY_API_KEY: 'unused',
      USAEPAY_PIN: 'unused',
      USAEPAY_PUBLIC_KEY: '_unused',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM,
      API_SECRET: API_SECRET.join(),
      OFFICE_API_KEY: OFFICE_API_KEY.join(),
      TOKEN_SECRET: TOKEN_SECRET.join(),
      DATA_KEY: 'a data key that is used only in tests',
      LOG_LEVEL: 'error',
      // Don't fail for being slow.
      MAX_LAG_MILLISECONDS: '0',
    },
  });
  while (!(await isLive()) && server.exitCode === null);
});

afterAll(async () => {
  server.kill('SIGKILL');
  await once(server, 'exit');
});

const isLive = () =>
  fetch(`${origin}/api/health/live`).then(
    (answer) => answer.ok,
    () => false,
  );

/** The server's current or peak memory, according to the kernel. */
function megabytes(which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const [, kilobytes] = new RegExp(`${which}:\\s+(\\d+) kB`).exec(status) ?? [];
  return Number(kilobytes) / 1024;
}

/** Links to invoices of forty unique lines, so that none can reuse another's drawing. */
async function makeLinks(count: number): Promise<string[]> {
  const { query } = portal.deps.db;
  for (let index = 0; index < count; index++) {
    const service = Array.from({ length: 40 }, (_, line) => `Window ${line} of house ${index}`).join(';');
    await makeInvoice(query, { service });
  }
  const rows = await query.select({ documentId: invoice.documentId }).from(invoice);
  const here = { env: testEnv({ PUBLIC_URL: origin }), clock: () => new Date() };
  return rows.map(({ documentId }, index) =>
    documentLink(here, { documentId, format: index % 2 === 0 ? 'png' : 'pdf' }),
  );
}

test.runIf(process.platform === 'linux')(
  'fifty different documents at once take less than 300 MB, and nobody else waits for them',
  async () => {
    const links = await makeLinks(50);
    const before = megabytes('VmRSS');
    let drawn = 0;
    const answers = links.map(async (link) => {
      const answer = await fetch(link);
      await answer.arrayBuffer();
      drawn++;
      return answer.status;
    });
    expect(await isLive()).toBe(true);
    expect(drawn).toBeLessThan(50);
    expect(await Promise.all(answers)).toEqual(Array(50).fill(200));
    const growth = megabytes('VmHWM') - before;
    expect(growth).toBeGreaterThan(0);
    expect(growth).toBeLessThan(300);
  },
  120_000,
);
