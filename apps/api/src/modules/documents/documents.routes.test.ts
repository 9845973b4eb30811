import { eq } from 'drizzle-orm';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { customer, franchise, invoice, location } from '../../db/schema/franchises.ts';
import { type DocumentFormat, documentLink } from '../invoices/document-links.ts';

const portal = useTestApp();

async function makeDocument(given: Parameters<typeof makeInvoice>[1] = {}) {
  const { query } = portal.deps.db;
  const made = await makeInvoice(query, given);
  const [row] = await query
    .select({ documentId: invoice.documentId })
    .from(invoice)
    .where(eq(invoice.id, made.invoiceId));
  if (!row) throw new Error('no invoice was made');
  return { ...made, documentId: row.documentId };
}

const linkTo = (documentId: string, format: DocumentFormat = 'pdf') =>
  documentLink(portal.deps, { documentId, format }).replace(portal.deps.env.PUBLIC_URL, '');

const open = (url: string, headers: Record<string, string> = {}) =>
  portal.app.inject({ method: 'GET', url, headers });

test.each([
  ['pdf', 'application/pdf', '%PDF-'],
  ['png', 'image/png', '\x89PNG'],
] as const)('a link opens the %s in the browser, without a secret', async (format, type, start) => {
  const { documentId, franchiseId, workOrderNumber } = await makeDocument();
  const answer = await open(linkTo(documentId, format));
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': type,
    'content-disposition': `inline; filename="invoice-${franchiseId}-${workOrderNumber}.${format}"`,
    'x-content-type-options': 'nosniff',
  });
  expect(answer.rawPayload.subarray(0, start.length).toString('latin1')).toBe(start);
});

test('the preview has the shape of its place on the screen', async () => {
  const { documentId } = await makeDocument();
  const { rawPayload } = await open(linkTo(documentId, 'png'));
  expect(PNG.sync.read(rawPayload)).toMatchObject({ width: 1216, height: 784 });
});

test('a browser asks again before it shows a document that it has, since the invoice may be paid', async () => {
  const { documentId } = await makeDocument();
  expect((await open(linkTo(documentId))).headers['cache-control']).toBe('private, no-cache');
});

test('does not send a document again that the browser has', async () => {
  const { documentId } = await makeDocument();
  const first = await open(linkTo(documentId));
  const etag = String(first.headers.etag);
  const again = await open(linkTo(documentId), { 'if-none-match': etag });
  expect(again).toMatchObject({ statusCode: 304, body: '' });
  expect(again.headers.etag).toBe(etag);
});

test.each<[string, (made: Awaited<ReturnType<typeof makeDocument>>) => Promise<unknown>]>([
  [
    'amount',
    ({ invoiceId }) =>
      portal.deps.db.query.update(invoice).set({ amountCents: 200_00 }).where(eq(invoice.id, invoiceId)),
  ],
  [
    'services',
    ({ invoiceId }) =>
      portal.deps.db.query.update(invoice).set({ service: 'Gutters' }).where(eq(invoice.id, invoiceId)),
  ],
  [
    'street',
    ({ locationId }) =>
      portal.deps.db.query
        .update(location)
        .set({ addressLine1: 'Oak Avenue 3' })
        .where(eq(location.id, locationId)),
  ],
  [
    "franchise's phone",
    ({ franchiseId }) =>
      portal.deps.db.query
        .update(franchise)
        .set({ phone: '(503) 555-0199' })
        .where(eq(franchise.id, franchiseId)),
  ],
])('another %s makes another document', async (_what, change) => {
  const made = await makeDocument();
  const before = await open(linkTo(made.documentId));
  await change(made);
  const after = await open(linkTo(made.documentId), { 'if-none-match': String(before.headers.etag) });
  expect(after.statusCode).toBe(200);
  expect(after.rawPayload.equals(before.rawPayload)).toBe(false);
});

test('a document names neither its customer nor what the office calls the place', async () => {
  const { query } = portal.deps.db;
  const made = await makeDocument();
  const before = await open(linkTo(made.documentId));
  await query.update(customer).set({ name: 'Ada Byron' }).where(eq(customer.id, made.customerId));
  await query.update(location).set({ description: "Ada's villa" }).where(eq(location.id, made.locationId));
  const again = await open(linkTo(made.documentId), { 'if-none-match': String(before.headers.etag) });
  expect(again.statusCode).toBe(304);
});

const NOT_GOOD = {
  title: 'Forbidden',
  status: 403,
  detail: 'This link is no longer good. Please open the invoice again for a new one.',
  errors: [],
};

test.each<[string, (link: string) => string]>([
  [
    'another signature',
    (link) => link.replace(/signature=./, (start) => (start.endsWith('A') ? 'signature=B' : 'signature=A')),
  ],
  ['a shorter signature', (link) => link.slice(0, -1)],
  ['no signature', (link) => link.replace(/&signature=.*/, '')],
  ['two signatures', (link) => `${link}&signature=x`],
  ['a later end', (link) => link.replace(/expires=(\d)/, 'expires=9$1')],
  ['an end that is no number', (link) => link.replace(/expires=\d+/, 'expires=1e12')],
  ['no end', (link) => link.replace(/expires=\d+&/, '')],
  ['another format', (link) => link.replace('.pdf', '.png')],
  ['nothing at all', (link) => link.replace(/\?.*/, '')],
])('a link with %s is refused', async (_what, tamper) => {
  const { documentId } = await makeDocument();
  const answer = await open(tamper(linkTo(documentId)));
  expect(answer.statusCode).toBe(403);
  expect(answer.json()).toEqual(NOT_GOOD);
  expect(answer.headers['cache-control']).toBe('no-store');
});

test("one document's signature does not open another", async () => {
  const [mine, theirs] = [await makeDocument(), await makeDocument()];
  const answer = await open(linkTo(mine.documentId).replace(mine.documentId, theirs.documentId));
  expect(answer.json()).toEqual(NOT_GOOD);
});

test('a link is valid until its end, and not after', async () => {
  const { documentId } = await makeDocument();
  const link = linkTo(documentId);
  const made = portal.now.getTime();
  portal.now = new Date(made + 599_000);
  expect((await open(link)).statusCode).toBe(200);
  portal.now = new Date(made + 600_000);
  expect((await open(link)).json()).toEqual(NOT_GOOD);
});

test.each([
  ['a document that does not exist', () => linkTo('00000000-0000-4000-8000-000000000000')],
  ['a name that no document has', () => '/api/documents/invoice.pdf'],
  [
    'a format that no document has',
    () => linkTo('00000000-0000-4000-8000-000000000000').replace('.pdf', '.svg'),
  ],
  ['a path out of here', () => '/api/documents/..%2f..%2fpackage.json'],
])('%s is not found', async (_what, link) => {
  const answer = await open(link());
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ status: 404, detail: 'There is no document at this address.' });
});

const NAVIGATION = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test('an expired link shows a person a page, and programs and images the problem', async () => {
  const { documentId } = await makeDocument();
  const link = linkTo(documentId);
  portal.now = new Date(portal.now.getTime() + 11 * 60_000);
  const page = await open(link, NAVIGATION);
  expect(page.statusCode).toBe(403);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    vary: 'origin, accept',
  });
  expect(page.headers['content-security-policy']).not.toContain('unsafe-inline');
  expect(page.body).toContain('<h1>This link is no longer good</h1>');
  for (const accept of ['image/avif,image/webp,*/*;q=0.8', '*/*', 'application/json']) {
    expect((await open(link, { accept })).json()).toMatchObject({ status: 403 });
  }
});

test("an expired link to a statement's file names the statement", async () => {
  const page = await open('/api/documents/payments-2026.csv?user=1&expires=1&signature=x', NAVIGATION);
  expect(page.statusCode).toBe(403);
  expect(page.body).toContain('Open your statement again, then choose Download CSV.');
});

test('a link to no document shows a person a page', async () => {
  const page = await open('/api/documents/none.pdf', NAVIGATION);
  expect(page.statusCode).toBe(404);
  expect(page.body).toContain('There is no document at this address');
});
