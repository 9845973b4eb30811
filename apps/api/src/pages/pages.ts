import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageSettings } from '@brightpane/contract/page-settings';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Env } from '../env.ts';
import { type BuiltPage, readPage, sendPage } from './built-page.ts';
import { pagePolicy, policyHeaders } from './content-security-policy.ts';
import { pageSettings } from './page-settings.ts';

const FALLBACK = '__spa-fallback.html';
/** All screens' paths, which the web's build lists from its routes. */
const SCREENS = 'screens.json';
export const YEAR_SECONDS = 31_536_000;
export const DAY_SECONDS = 86_400;

/**
 * Serves the built web app from `folder`: pages with their settings and content policy, files as they are. Any other
 * URL gets the fallback page as a 404.
 */
export const pages = fastifyPlugin<{ env: Env; folder: string }>(async (app, { env, folder }) => {
  const shared = pageSettings(env);
  const load = (file: string, besides: Partial<PageSettings> = {}) => {
    const settings = { ...shared, ...besides };
    return readPage(join(folder, file), {
      settings,
      headersOf: (html) => policyHeaders(pagePolicy(html, settings), env.PUBLIC_URL),
      readAsset: (href) => readFileSync(join(folder, href)),
    });
  };

  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: YEAR_SECONDS * 1000,
  });

  // Files next to the pages under their own names: the icon, robots.txt.
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
    servePage(app, path, page);
  }
  app.get('/*', (request, reply) => {
    if (request.url.startsWith('/api/')) return reply.callNotFound();
    return sendPage(request, reply.code(404), fallback);
  });
});

/** Serves a page at its path. With a slash at its end, the path redirects there. */
export function servePage(app: FastifyInstance, path: string, page: BuiltPage): void {
  app.get(path, (request, reply) => sendPage(request, reply, page));
  if (path.endsWith('/')) return;
  app.get(`${path}/`, ({ url }, reply) => {
    // A request may name a whole URL. Only its path and query count, so that nobody is sent to another host.
    const { pathname, search } = new URL(url, 'http://portal');
    return reply.redirect((pathname.slice(0, -1) || '/') + search, 308);
  });
}

/** The paths that a build lists. */
export function readScreens(folder: string): string[] {
  return JSON.parse(readFileSync(join(folder, SCREENS), 'utf8'));
}

/** Whether an app has been built to the end; the build writes the list of screens last. */
export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, SCREENS));
}
