import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { PageSettings } from '@brightpane/contract/page-settings';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Env } from '../env.ts';
import { policyHeaders } from './content-security-policy.ts';
import { pageSettings, withSettings } from './page-settings.ts';
import { withStylesheetIntegrity } from './stylesheet-integrity.ts';

const FALLBACK = '__spa-fallback.html';
/** The paths of all screens, which the web's build lists from its routes. */
const SCREENS = 'screens.json';
const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;

type Encoding = keyof typeof ENCODERS;
type Page = {
  headers: Record<string, string> & { etag: string };
  plain: Buffer;
  /** Compressed when somebody asks for it first: doing so for every page is a quarter of a start. */
  encoded: Partial<Record<Encoding, Promise<Buffer>>>;
};

/** What is smaller stands first. */
const ENCODERS = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/**
 * Serves the built web app from `folder`: pages with their settings and content policy, files as they are. What is no
 * screen is answered with the fallback page, as a 404.
 */
export const pages = fastifyPlugin<{ env: Env; folder: string }>(async (app, { env, folder }) => {
  const shared = pageSettings(env);
  const load = (file: string, besides: Partial<PageSettings> = {}): Page => {
    const settings = { ...shared, ...besides };
    const built = readFileSync(join(folder, file), 'utf8');
    const html = withStylesheetIntegrity(withSettings(built, settings), (href) =>
      readFileSync(join(folder, href)),
    );
    const plain = Buffer.from(html);
    const headers = {
      ...policyHeaders(html, settings, env.PUBLIC_URL),
      // Weak: it names what a page says, however that is compressed.
      etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`,
    };
    return { headers, plain, encoded: {} };
  };

  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: YEAR_SECONDS * 1000,
  });

  // What lies beside the pages under its own name: the icon, robots.txt.
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.html') || entry.name === SCREENS) continue;
    app.get(`/${entry.name}`, (_request, reply) =>
      reply.sendFile(entry.name, folder, { maxAge: DAY_SECONDS * 1000, immutable: false }),
    );
  }

  const fallback = load(FALLBACK);
  const terms = load(FALLBACK, { terms: env.TERMS.text });
  for (const path of readScreens(folder)) {
    const rendered = join(path.slice(1), 'index.html');
    const built = existsSync(join(folder, rendered)) ? load(rendered) : fallback;
    const page = path === '/terms' ? terms : built;
    app.get(path, (request, reply) => send(request, reply, page));
  }
  app.get('/*', (request, reply) => {
    if (request.url.startsWith('/api/')) return reply.callNotFound();
    return send(request, reply.code(404), fallback);
  });
});

async function send(request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
  reply.headers(page.headers).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
  const isKnown = request.headers['if-none-match']?.includes(page.headers.etag) === true;
  if (isKnown && reply.statusCode === 200) return reply.code(304).send();
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (Object.keys(ENCODERS) as Encoding[]).find((name) => accepted.includes(name));
  if (encoding) reply.header('content-encoding', encoding);
  const body = encoding ? await encode(page, encoding) : page.plain;
  return reply.type('text/html; charset=utf-8').send(body);
}

function encode(page: Page, encoding: Encoding): Promise<Buffer> {
  page.encoded[encoding] ??= ENCODERS[encoding](page.plain);
  return page.encoded[encoding];
}

function readScreens(folder: string): string[] {
  return JSON.parse(readFileSync(join(folder, SCREENS), 'utf8'));
}

/** Whether the web app has been built. */
export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'));
}
