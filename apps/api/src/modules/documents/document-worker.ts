import { parentPort } from 'node:worker_threads';
import type { DocumentFormat } from '../invoices/document-links.ts';
import { type PrintedPage, renderPage } from './render-page.ts';
import { renderPng } from './render-png.ts';

// The thread behind document-renderer.ts; it handles one request at a time.

export type RenderRequest = { page: PrintedPage; format: DocumentFormat };
export type RenderAnswer = { bytes: Uint8Array } | { error: string };

async function answer({ page, format }: RenderRequest): Promise<RenderAnswer> {
  try {
    const pdf = await renderPage(page);
    return { bytes: format === 'pdf' ? pdf : await renderPng(pdf) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', async (request: RenderRequest) => {
  parentPort?.postMessage(await answer(request));
});
