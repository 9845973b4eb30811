import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chargesOf } from '../../test/books/compare-ledgers.ts';
import { useEmulator } from '../../test/emulator.ts';
import { makeInvoice } from '../../test/factories/invoices.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../test/factories/payments/payments.ts';
import { mailLayout } from '../mail/layout.ts';
import { queueMail } from '../mail/queue-mail.queries.ts';
import { runJobs } from './run-jobs.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);

/** Accepts connections and never answers. */
const silent = net.createServer();
const held = new Set<net.Socket>();
beforeAll(async () => {
  silent.on('connection', (socket) => held.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  for (const socket of held) socket.destroy();
  silent.close();
});

const content = mailLayout({ subject: 'Paid', parts: [{ kind: 'paragraph', text: 'Paid.' }] });

test('captures continue while forty receipts wait for a mail server that never answers', async () => {
  const { deps } = portal;
  const receipt = { kind: 'payment-receipt', recipient: 'zoe@example.com', content } as const;
  for (let count = 0; count < 40; count++) await deps.db.transaction((tx) => queueMail(tx, receipt));
  const { port } = silent.address() as AddressInfo;
  const jobs = await runJobs({ ...deps, env: { ...deps.env, SMTP_URL: `smtp://127.0.0.1:${port}` } });
  try {
    await expect.poll(() => held.size).toBeGreaterThan(0);
    for (let count = 0; count < 36; count++) {
      const invoice = await makeInvoice(deps.db.query);
      expect((await payAsGuest(portal, await guestSale(emulator, invoice))).statusCode).toBe(200);
    }
    await expect
      .poll(async () => (await chargesOf(deps)).filter(({ state }) => state === 'accepted').length)
      .toBe(0);
    expect(await chargesOf(deps)).toHaveLength(36);
  } finally {
    for (const socket of held) socket.destroy();
    silent.close();
    await jobs.stop();
  }
}, 120_000);
