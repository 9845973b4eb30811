import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { HttpProblem } from '../../http/problem.ts';
import { createDocumentCache } from './document-cache.ts';
import { createDocumentRenderer, RendererBusy } from './document-renderer.ts';
import { documentProblem, documentsBusy } from './documents.problems.ts';
import { type OpenDocument, openDocument } from './open-document.ts';
import { isReceipt, openReceipt } from './open-receipt.ts';
import { isStatementFile, openStatementFile } from './open-statement-file.ts';
import { type FileKind, PROBLEM_PAGE_HEADERS, problemPage } from './pages/problem-page.ts';

const CONTENT_TYPES = { pdf: 'application/pdf', png: 'image/png' } as const;
const CACHE_BYTES = 32 * 1024 * 1024;

/**
 * Serves the documents of `pdfLink` and `pngLink`. The signed URL is the only credential, so that
 * an `<img>` can load them.
 */
export const documentsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  const renderer = createDocumentRenderer();
  const cache = createDocumentCache({ maxBytes: CACHE_BYTES });
  app.addHook('onClose', () => renderer.close());
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof HttpProblem) || !asksForPage(request)) throw error;
    const { body, headers } = error;
    return reply
      .code(body.status)
      .headers({ ...headers, ...PROBLEM_PAGE_HEADERS, vary: 'origin, accept' })
      .send(problemPage(error, kindOf(request)));
  });

  app.get<Request>('/documents/:file', { config: { waitsElsewhere: true } }, async (request, reply) => {
    const { file } = request.params;
    if (isStatementFile(file)) return sendStatementFile(deps, request, reply);
    const link = { file, query: request.query };
    const opened = await (isReceipt(file) ? openReceipt(deps, link) : openDocument(deps, link));
    if (!opened.ok) throw documentProblem(opened);
    const { page, format, fingerprint } = opened.value;

    // Weak: the same page always looks the same, but its bytes may differ.
    const etag = `W/"${fingerprint}"`;
    // The same link shows another page once a payment or an import changed the invoice.
    const caching = { etag, 'cache-control': 'private, no-cache' };
    if (request.headers['if-none-match'] === etag) return reply.code(304).headers(caching).send();

    const bytes = await cache
      .get(`${fingerprint}.${format}`, () => renderer.render(page, format))
      .catch((error: unknown) => {
        throw error instanceof RendererBusy ? documentsBusy() : error;
      });
    return reply
      .type(CONTENT_TYPES[format])
      .headers(caching)
      .header('content-disposition', `inline; filename="${fileName(opened.value)}"`)
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });
};

async function sendStatementFile(deps: Deps, request: FastifyRequest<Request>, reply: FastifyReply) {
  const opened = await openStatementFile(deps, { file: request.params.file, query: request.query });
  if (!opened.ok) throw documentProblem(opened);
  return reply
    .type('text/csv; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${opened.value.name}"`)
    .send(opened.value.text);
}

function kindOf({ params }: FastifyRequest): FileKind {
  const { file } = params as Request['Params'];
  if (isStatementFile(file)) return 'statement';
  return isReceipt(file) ? 'receipt' : 'invoice';
}

/** Whether a person opened the link, rather than an image tag or a program. */
function asksForPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false;
}

type Request = { Params: { file: string }; Querystring: Record<string, unknown> };

function fileName({ page, format }: OpenDocument): string {
  if (page.kind === 'receipt') return `receipt-${page.paymentId}.pdf`;
  return `invoice-${page.franchise.number}-${page.workOrder}.${format}`;
}
