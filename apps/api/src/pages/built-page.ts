import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { settingsText } from './page-settings.ts';
import { withStylesheetIntegrity } from './stylesheet-integrity.ts';

type Encoding = keyof typeof ENCODERS;

/** A page as sent: built, with its settings, content policy and integrity pins. */
export type BuiltPage = {
  headers: Record<string, string> & { etag: string };
  plain: Buffer;
  /** Compressed on first request: compressing every page would take a quarter of the start. */
  encoded: Partial<Record<Encoding, Promise<Buffer>>>;
};

/** Smallest result first. */
const ENCODERS = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const ENCODINGS = Object.keys(ENCODERS) as Encoding[];

/** Reads a page. `readAsset` finds the content behind a URL in the page. */
export function readPage(
  file: string,
  options: {
    settings: object;
    headersOf: (html: string) => Record<string, string>;
    readAsset: (href: string) => Buffer;
  },
): BuiltPage {
  const { settings, headersOf, readAsset } = options;
  const html = withStylesheetIntegrity(withSettings(readFileSync(file, 'utf8'), settings), readAsset);
  const plain = Buffer.from(html);
  const headers = {
    ...headersOf(html),
    // Weak: it identifies the page's content, however it is compressed.
    etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`,
  };
  return { headers, plain, encoded: {} };
}

const PLACEHOLDER = '<script id="settings" type="application/json">{}</script>';

/** Puts the settings into the built page's placeholder. Throws if there is none. */
export function withSettings(html: string, settings: object): string {
  if (!html.includes(PLACEHOLDER)) throw new Error('the built page has no place for its settings');
  return html.replace(PLACEHOLDER, () => PLACEHOLDER.replace('{}', () => settingsText(settings)));
}

export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: BuiltPage,
): Promise<FastifyReply> {
  reply.headers(page.headers).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
  const isKnown = request.headers['if-none-match']?.includes(page.headers.etag) === true;
  if (isKnown && reply.statusCode === 200) return reply.code(304).send();
  const encoding = negotiate(request.headers['accept-encoding'] ?? '', ENCODINGS);
  if (encoding) reply.header('content-encoding', encoding);
  const body = encoding ? await encode(page, encoding) : page.plain;
  return reply.type('text/html; charset=utf-8').send(body);
}

function encode(page: BuiltPage, encoding: Encoding): Promise<Buffer> {
  page.encoded[encoding] ??= ENCODERS[encoding](page.plain);
  return page.encoded[encoding];
}
