import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DocumentFormat } from '../invoices/document-links.ts';
import type { RenderAnswer, RenderRequest } from './document-worker.ts';
import type { PrintedPage } from './render-page.ts';

export type DocumentRenderer = {
  /** Rejects if drawing takes too long or the queue is full. */
  render(page: PrintedPage, format: DocumentFormat): Promise<Uint8Array>;
  close(): Promise<void>;
};

type Job = RenderRequest & { resolve(bytes: Uint8Array): void; reject(error: Error): void };

/** The worker next to this file, as source or built. */
const WORKER = new URL(`./document-worker${extname(import.meta.filename)}`, import.meta.url);

const MAX_WAITING = 500;
const MAX_MILLISECONDS = 20_000;

export class RendererBusy extends Error {}

/**
 * Draws documents one by one on a worker thread, so that drawing blocks no request and memory stays bounded. Starts the
 * thread with the first document, and restarts it after a document that broke it.
 */
export function createDocumentRenderer(): DocumentRenderer {
  const waiting: Job[] = [];
  let worker: Worker | undefined;
  let current: Job | undefined;
  let timer: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(WORKER, {
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    });
    started.on('message', (answer: RenderAnswer) =>
      finish((job) => ('bytes' in answer ? job.resolve(answer.bytes) : job.reject(new Error(answer.error)))),
    );
    started.on('error', (error) => lose(started, error as Error));
    started.on('exit', () => lose(started, new Error('the thread that draws documents ended')));
    started.unref();
    return started;
  }

  function lose(lost: Worker, error: Error): void {
    if (lost !== worker) return;
    worker = undefined;
    finish((job) => job.reject(error));
  }

  function finish(answer: (job: Job) => void): void {
    clearTimeout(timer);
    const job = current;
    current = undefined;
    if (job) answer(job);
    next();
  }

  function next(): void {
    if (current) return;
    current = waiting.shift();
    if (!current) return;
    worker ??= start();
    const asked = worker;
    timer = setTimeout(() => {
      lose(asked, new Error('a document took too long to draw'));
      void asked.terminate();
    }, MAX_MILLISECONDS);
    asked.postMessage({ page: current.page, format: current.format } satisfies RenderRequest);
  }

  return {
    render(page, format) {
      if (waiting.length >= MAX_WAITING)
        return Promise.reject(new RendererBusy('too many documents are waiting'));
      return new Promise((resolve, reject) => {
        waiting.push({ page, format, resolve, reject });
        next();
      });
    },
    async close() {
      const ended = worker;
      worker = undefined;
      for (const job of [current, ...waiting.splice(0)]) job?.reject(new Error('the portal is closing'));
      current = undefined;
      clearTimeout(timer);
      await ended?.terminate();
    },
  };
}
