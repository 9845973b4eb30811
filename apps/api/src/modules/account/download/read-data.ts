import type { AccountData } from '@brightpane/contract/customers/account';
import type { ListedPayment } from '@brightpane/contract/invoices/payment-history';
import type { Queryable } from '../../../db/client.ts';
import { readRows } from '../../../db/snapshots/snapshot.queries.ts';
import type { Deps } from '../../../deps.ts';
import { listLocations } from '../../locations/list-locations.ts';
import { selectPaymentMethods } from '../../payment-methods/payment-methods.queries.ts';
import { readOwnPayments } from '../../payments/history/read-own-payments.ts';
import { listSessions } from '../list-sessions.ts';
import { readAccount } from '../read-account.ts';
import { mailsOf, type OwnMail, selectEmailChanges } from './download.queries.ts';

const ROWS_AT_A_TIME = 1_000;

/** Streams an account's data as JSON. Contains no hash, token, key or link. */
export async function* readData(
  deps: Deps,
  snapshot: Queryable,
  { userId, sessionId }: { userId: string; sessionId: string },
): AsyncGenerator<string> {
  const asOfNow: Deps = { ...deps, db: { ...deps.db, query: snapshot } };
  yield begin('account', await readAccount(asOfNow, userId), '{');
  yield begin('sessions', await listSessions(asOfNow, { userId, sessionId }));
  yield begin('locations', await listLocations(asOfNow, { userId }));
  yield begin('paymentMethods', (await selectPaymentMethods(snapshot, userId)).map(presentCard));
  yield* list(
    'payments',
    readOwnPayments(deps, snapshot, { userId, linesAtATime: ROWS_AT_A_TIME }),
    withoutLinks,
  );
  yield begin('emailChanges', await selectEmailChanges(snapshot, userId));
  yield* list('mails', readRows<OwnMail>(snapshot, mailsOf(userId), { count: ROWS_AT_A_TIME }), presentMail);
  yield '}';
}

type Field = keyof AccountData;

const begin = (field: Field, value: unknown, before = ',') =>
  `${before}${JSON.stringify(field)}:${JSON.stringify(value)}`;

async function* list<Item>(
  field: Field,
  pages: AsyncIterable<Item[]>,
  present: (item: Item) => unknown,
): AsyncGenerator<string> {
  yield `,${JSON.stringify(field)}:[`;
  let isFirst = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield (isFirst ? '' : ',') + page.map((item) => JSON.stringify(present(item))).join(',');
    isFirst = false;
  }
  yield ']';
}

type Card = Awaited<ReturnType<typeof selectPaymentMethods>>[number];

const presentCard = ({ maskedCard, brand, expiresMonth, createdAt }: Card) => ({
  maskedCard,
  brand,
  expires: expiresMonth?.slice(0, 7) ?? null,
  addedAt: createdAt,
});

const presentMail = ({ queuedAt, sentAt, ...mail }: OwnMail) => ({
  ...mail,
  queuedAt: new Date(queuedAt).toISOString(),
  sentAt: sentAt === null ? null : new Date(sentAt).toISOString(),
});

/** A signed link works for anyone holding the file, and only for ten minutes, so leave it out. */
const withoutLinks = ({ receiptLink: _receipt, lines, ...payment }: ListedPayment) => ({
  ...payment,
  lines: lines.map(({ pdfLink: _pdf, ...line }) => line),
});
