import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Env } from '../env.ts';
import { readPage, sendPage } from './built-page.ts';
import { officePolicy, policyHeaders } from './content-security-policy.ts';
import { officePageSettings } from './page-settings.ts';
import { DAY_SECONDS, readScreens, servePage, YEAR_SECONDS } from './pages.ts';

const BASE = '/office';

/**
 * Serves the built console from `folder`: one page for every screen, also as the 404 for other URLs under `/office/`.
 * If the console has its own origin, its URLs at any other host redirect there, and payers' pages at that origin to the
 * payers'. Register it after `pages`.
 */
export const officePages = fastifyPlugin<{ env: Env; folder: string }>(async (app, { env, folder }) => {
  const settings = officePageSettings(env);
  const page = readPage(join(folder, 'index.html'), {
    settings,
    headersOf: (html) => ({
      ...policyHeaders(officePolicy(html, settings), env.OFFICE_URL),
      'x-robots-tag': 'noindex',
    }),
    readAsset: (href) => readFileSync(join(folder, href.slice(BASE.length))),
  });

  if (env.OFFICE_URL !== new URL(env.PUBLIC_URL).origin) {
    const { host } = new URL(env.OFFICE_URL);
    const payers = new URL(env.PUBLIC_URL);
    app.addHook('onRequest', async (request, reply) => {
      // Not Fastify's `host`: a client could name it in `X-Forwarded-Host`.
      const asked = request.headers.host;
      if (isOffice(request) && asked !== host) {
        return reply.redirect(`${env.OFFICE_URL}${request.url}`, 308);
      }
      // On the console's origin, the provider's script in a payers' page could call the office's API as its reader.
      if (asked === host && host !== payers.host && !isOffice(request) && !isApi(request)) {
        return reply.redirect(`${payers.origin}${request.url}`, 308);
      }
    });
  }

  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: `${BASE}/assets/`,
    preCompressed: true,
    immutable: true,
    maxAge: YEAR_SECONDS * 1000,
    decorateReply: false,
  });
  app.get(`${BASE}/favicon.svg`, (_request, reply) =>
    reply.sendFile('favicon.svg', folder, { maxAge: DAY_SECONDS * 1000, immutable: false }),
  );

  app.get(BASE, (_request, reply) => reply.redirect(`${BASE}/`, 308));
  for (const path of readScreens(folder)) {
    servePage(app, path === BASE ? `${BASE}/` : path, page);
  }
  app.get(`${BASE}/*`, (request, reply) => sendPage(request, reply.code(404), page));
});

const isApi = ({ url }: FastifyRequest): boolean => url.startsWith('/api/');

/** Goes by the route where there is one: the router decodes what is asked, so `/%6Fffice/` is the console, too. */
function isOffice({ url: asked, routeOptions }: FastifyRequest): boolean {
  const url = routeOptions.url ?? asked;
  return url === BASE || url.startsWith(`${BASE}/`) || url.startsWith(`${BASE}?`);
}
