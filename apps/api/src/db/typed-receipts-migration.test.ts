import { expect, test } from 'vitest';
import { beforeMigration } from '../../test/database/before-migration.ts';

const uuid = (id: number) => `00000000-0000-4000-8000-00000000000${id}`;

const payment = (id: number, payer: { email: string | null; userId: number | null }) => `
  INSERT INTO payment_intent (id, kind, idem_scope, idem_key, request_hash, deadline_at, state, payer_email, user_id)
  VALUES ('${uuid(id)}', 'guest', 'guest', '${id}', '', now(), 'accepted', ${payer.email && `'${payer.email}'`},
          ${payer.userId && `'${uuid(payer.userId)}'`})`;

const account = (id: number, email: string) => `
  INSERT INTO app_user (id, email, first_name, last_name, password_hash)
  VALUES ('${uuid(id)}', '${email}', 'Ana', 'Ruiz', '')`;

const receipt = (id: number, given: { of: number; to: string }) => `
  INSERT INTO outgoing_mail (id, kind, recipient, content, intent_id)
  VALUES ('${uuid(id)}', 'payment-receipt', '${given.to}', '{}', '${uuid(given.of)}')`;

const sentBy = (franchiseId: number, mailId: number) => `
  INSERT INTO audit_event (actor, action, subject, detail, franchise_id)
  VALUES ('Kim', 'send-receipt', 'payment', '{"mailId": "${uuid(mailId)}"}', ${franchiseId})`;

test('tells receipts that an office typed an address for from those to the payer', async () => {
  await beforeMigration('0059-found-and-shared.sql', async ({ admin, migrate, plant }) => {
    await plant(
      account(9, 'ana@example.com'),
      payment(1, { email: 'guest@example.com', userId: null }),
      payment(2, { email: null, userId: 9 }),
      receipt(3, { of: 1, to: 'guest@example.com' }),
      receipt(4, { of: 1, to: 'guest@example.com' }),
      receipt(5, { of: 1, to: 'tenant@example.com' }),
      receipt(6, { of: 2, to: 'ana@example.com' }),
      receipt(7, { of: 2, to: 'tenant@example.com' }),
      sentBy(90, 4),
      sentBy(91, 5),
      sentBy(90, 6),
      sentBy(92, 7),
    );
    await migrate();
    const { rows } = await admin.query<{ franchise: number | null }>(
      'SELECT franchise_id AS franchise FROM outgoing_mail ORDER BY id',
    );
    expect(rows.map(({ franchise }) => franchise)).toEqual([null, null, 91, null, 92]);
  });
});
