import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { SMTPServer } from 'smtp-server';
import type { Round } from '../../../../packages/proof/src/prove/attack.ts';
import {
  attack,
  type FaultAttack,
  variantOf,
} from '../../../../packages/proof/src/prove/provider-faults/fault-attack.ts';
import {
  must,
  mustHear,
  newPayment,
  press,
} from '../../../../packages/proof/src/prove/provider-faults/payments.ts';
import { resolve } from '../../../../packages/proof/src/prove/provider-faults/resolve.ts';
import type { FaultRig } from '../../../../packages/proof/src/prove/provider-faults/rig.ts';
import { deliverMail } from '../../src/mail/deliver-mail.ts';

const MOST_TRIES = 10;

/** Receipts of which one can never be sent: it is given up after ten attempts, and the others arrive at the first. */
async function poisonMail(rig: FaultRig, round: Round): Promise<void> {
  const code = variantOf(round, [550, 554, 501]);
  const poisoned = 'poison@example.com';
  const server = await startMailServer({ refuse: poisoned, code });
  const deps = {
    ...rig.portal.deps,
    env: { ...rig.portal.deps.env, SMTP_URL: server.url },
  };
  // Stops the mail that earlier runs left.
  await deps.db.query.execute(sql`UPDATE outgoing_mail SET next_try_at = NULL`);
  try {
    const recipients = ['first@example.com', poisoned, 'last@example.com'];
    for (const email of recipients) {
      const payment = await newPayment(rig, 'guest');
      mustHear(await press(rig, payment, { given: { email } }), 'paid');
      payment.mustBePaid = true;
    }
    for (let time = 1; time <= MOST_TRIES + 2; time++) {
      await deliverMail(deps);
      await deps.db.query.execute(sql`
        UPDATE outgoing_mail SET next_try_at = clock_timestamp() WHERE next_try_at IS NOT NULL`);
    }
    const arrived = server.arrived.toSorted().join();
    must(arrived === 'first@example.com,last@example.com', `arrived at ${arrived}`);
    must(server.refused() === MOST_TRIES, `tried ${server.refused()} times`);
  } finally {
    await server.close();
  }
  await resolve(rig, round);
}

async function startMailServer({ refuse, code }: { refuse: string; code: number }) {
  const arrived: string[] = [];
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      if (address !== refuse) return done();
      refused++;
      done(Object.assign(new Error('not ever'), { responseCode: code }));
    },
    onData(stream, session, done) {
      stream.resume();
      stream.on('end', () => {
        arrived.push(...session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    arrived,
    refused: () => refused,
    close: () => new Promise<void>((closed) => server.close(closed)),
  };
}

export const poison: FaultAttack[] = [
  attack(
    'F55',
    'a receipt that can never be sent: given up after ten tries, and the others arrive',
    10,
    poisonMail,
  ),
];
