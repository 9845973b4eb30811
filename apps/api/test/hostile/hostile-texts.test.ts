import type { AccountData } from '@brightpane/contract/customers/account';
import type { ListedPayment, Statement } from '@brightpane/contract/invoices/payment-history';
import { cents } from '@brightpane/money/cents';
import { parse } from 'csv-parse/sync';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { franchise, invoice, location } from '../../src/db/schema/franchises.ts';
import type { MailContent } from '../../src/db/schema/operations.ts';
import { emailChangeAskedMail, emailChangedMail } from '../../src/mail/templates/email-change.ts';
import { paymentReceipt } from '../../src/mail/templates/payment-receipt.ts';
import { receiptTotals } from '../../src/mail/templates/receipt-totals.ts';
import { refundMadeMail } from '../../src/mail/templates/refunds.ts';
import { receiptPage } from '../../src/modules/documents/pages/receipt-page.ts';
import { renderReceipt } from '../../src/modules/documents/render-receipt.ts';
import { call, useTestApp } from '../build-test-app.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { makePayment } from '../factories/payments/decided-payments.ts';
import { paymentLineRow } from '../factories/payments/payment-line-rows.ts';
import { linkLocation, type SignedInUser, signInUser, TEST_PASSWORD } from '../factories/users.ts';
import { readTaggedPdf } from '../read-tagged-pdf.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;
let user: SignedInUser;

/** An office for each text, which it puts wherever offices write; and a payment with the text in the payer's note. */
beforeAll(async () => {
  user = await signInUser(portal);
  for (const text of HOSTILE_TEXTS) {
    const made = await makeInvoice(db());
    await db().update(franchise).set({ name: text }).where(eq(franchise.id, made.franchiseId));
    await db()
      .update(location)
      .set({ description: text, addressLine1: text, city: text, state: text })
      .where(eq(location.id, made.locationId));
    await db().update(invoice).set({ service: text }).where(eq(invoice.id, made.invoiceId));
    await linkLocation(portal, { ...user, ...made });
    await makePayment(portal.deps, {
      userId: user.userId,
      invoices: [made],
      servicesCents: 1_00,
      note: text,
    });
  }
}, 120_000);

test('there are sixty of them, each another', () => {
  expect(new Set(HOSTILE_TEXTS).size).toBe(60);
});

const get = async <Answer>(path: string) => (await call(portal, 'GET', path, user)).json<Answer>();
const sorted = (texts: readonly (string | null)[]) => texts.map(String).toSorted();

test('lists, statements and downloads hold them as they are', async () => {
  const { rows, csvLink } = await get<Statement>('/user/statements?year=2026');
  for (const field of ['franchiseName', 'description', 'addressLine1', 'service', 'note'] as const) {
    expect(sorted(rows.map((row) => row[field]))).toEqual(sorted(HOSTILE_TEXTS));
  }
  expect(csvLink).toMatch(/^https:\/\/pay\.example\.com\/api\/documents\/payments-2026\.csv\?[\w=&.%-]+$/);
  const body = { password: TEST_PASSWORD };
  const { payments, locations } = (
    await call(portal, 'POST', '/user/export', { token: user.token, body })
  ).json<AccountData>();
  const lines = payments.flatMap((payment) => payment.lines);
  expect(sorted(lines.map(({ note }) => note))).toEqual(sorted(HOSTILE_TEXTS));
  expect(sorted(locations.map(({ description }) => description))).toEqual(sorted(HOSTILE_TEXTS));
});

test('no cell of the statement’s file begins a formula, and each says its text', async () => {
  const { csvLink } = await get<Statement>('/user/statements?year=2026');
  const file = await portal.app.inject(csvLink.replace(portal.deps.env.PUBLIC_URL, ''));
  const rows: Record<string, string>[] = parse(file.body, { columns: true, bom: true });
  expect(rows).toHaveLength(60);
  const bare = (cell = '') => (cell.startsWith("'") ? cell.slice(1) : cell);
  for (const column of ['franchise', 'service'] as const) {
    for (const row of rows) expect(row[column]).not.toMatch(/^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/);
    const cells = rows.map((row) => row[column] ?? '');
    const said = (text: string) => cells.some((cell) => cell === text || bare(cell) === text);
    expect(HOSTILE_TEXTS.filter((text) => !said(text))).toEqual([]);
  }
});

test('a receipt’s PDF draws them, opens nothing and leaves nothing untagged', async () => {
  const lines = HOSTILE_TEXTS.map((text, index) =>
    paymentLineRow({
      workOrderNumber: 2_000 + index,
      franchiseName: text,
      description: text,
      addressLine1: text,
      service: text,
      servicesCents: 1_00,
      note: text,
    }),
  );
  const pdf = await renderReceipt(receiptPage(lines, 'https://pay.example.com'));
  // Everything that a reader acts on: streams only draw, and strings in parentheses are escaped text.
  const structure = pdf
    .toString('latin1')
    .replaceAll(/\bstream\b.*?\bendstream\b/gs, '')
    .replaceAll(/\((?:\\.|[^\\()])*\)/gs, '()');
  const acts = structure.match(/\/(Annots?|JavaScript|JS|URI|Launch|OpenAction|EmbeddedFiles?)\b/g);
  expect(acts).toBeNull();
  for (const { untagged } of await readTaggedPdf(pdf)) expect(untagged).toBe(0);
});

describe('names of an account', () => {
  test.each(HOSTILE_TEXTS)('%s stays a name', async (text) => {
    const body = { firstName: text, lastName: text };
    const saved = await call(portal, 'PUT', '/user/account', { token: user.token, body });
    expect(saved.statusCode, saved.body).toBe(204);
    const { firstName, lastName } = await get<{ firstName: string; lastName: string }>('/user/account');
    expect([firstName, lastName]).toEqual([text.trim(), text.trim()]);
  });
});

/** Decodes escaped HTML as a mail program does. */
const unescaped = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const mails: [string, (text: string) => MailContent][] = [
  [
    'that an address is to change',
    (newEmail) => emailChangeAskedMail({ newEmail, link: 'https://a.example' }),
  ],
  ['that it has changed', (newEmail) => emailChangedMail({ newEmail, link: 'https://a.example' })],
  [
    'of a receipt',
    (text) =>
      paymentReceipt({
        lines: [
          {
            workOrderNumber: 1042,
            franchiseName: text,
            paidOn: 'November 5, 2026',
            totals: receiptTotals(paymentLineRow({ servicesCents: 1_00 })),
            servicesNote: text,
          },
        ],
        charges: [{ amountCents: cents(109_25), cardBrand: text, maskedCard: 'xxxx2224', reference: '4711' }],
      }),
  ],
  [
    'of a refund',
    (card) =>
      refundMadeMail({
        ...{ method: 'refund', amountCents: cents(50_00), card, reference: '4711' },
        lines: [],
      }),
  ],
];

test.each(mails)('the mail %s says them and nothing else', (_what, mailOf) => {
  const bare = mailOf('x').html.match(/<[a-z]+/gi);
  for (const text of HOSTILE_TEXTS) {
    const { html, subject, text: plain } = mailOf(text);
    expect(html.match(/<[a-z]+/gi), text).toEqual(bare);
    expect(unescaped(html)).toContain(text);
    expect(plain).toContain(text);
    expect(subject).not.toMatch(/[\r\n]/);
  }
});

test('the receipt of one is shown as a page holds it', async () => {
  const { items } = await get<{ items: ListedPayment[] }>('/user/payments?year=2026');
  expect(items).toHaveLength(50);
  const [first] = items;
  const one = await get<ListedPayment>(`/user/payments/${first?.paymentId}`);
  expect(HOSTILE_TEXTS).toContain(one.lines[0]?.note);
});
