import { afterEach, expect, test } from 'vitest';
import { documentRow } from '../../../test/factories/document-rows.ts';
import { createDocumentRenderer, type DocumentRenderer, RendererBusy } from './document-renderer.ts';
import { invoicePage } from './pages/invoice-page.ts';
import type { PrintedPage } from './render-page.ts';

const page: PrintedPage = { kind: 'invoice', ...invoicePage(documentRow(), 'https://pay.example.com') };

let renderer: DocumentRenderer;
afterEach(() => renderer.close());

const startOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 8)).toString('latin1');

test('draws both formats', async () => {
  renderer = createDocumentRenderer();
  const [pdf, png] = await Promise.all([renderer.render(page, 'pdf'), renderer.render(page, 'png')]);
  expect(startOf(pdf)).toMatch(/^%PDF-/);
  expect(startOf(png)).toBe('\x89PNG\r\n\x1a\n');
});

test('a page that cannot be drawn fails alone', async () => {
  renderer = createDocumentRenderer();
  const broken = { ...page, payUrl: 'not an address' } satisfies PrintedPage;
  const [failed, drawn] = await Promise.allSettled([
    renderer.render(broken, 'pdf'),
    renderer.render(page, 'pdf'),
  ]);
  expect(failed).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringContaining('Invalid URL') },
  });
  expect(drawn.status).toBe('fulfilled');
});

test('more than five hundred waiting are refused at once', async () => {
  renderer = createDocumentRenderer();
  const asked = Promise.allSettled(Array.from({ length: 501 }, () => renderer.render(page, 'pdf')));
  await expect(renderer.render(page, 'pdf')).rejects.toBeInstanceOf(RendererBusy);
  await renderer.close();
  const outcomes = await asked;
  expect(outcomes.at(-1)?.status).toBe('rejected');
});
