import type { RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { ApiDescription } from '../openapi/api-description.ts';
import { renderApiPage } from '../openapi/api-page.ts';
import { describeCall } from '../openapi/describe-call.ts';
import { REFUSAL_COMPONENTS } from '../openapi/refusals.ts';

const PREFIX = '/api';

const DESCRIPTION = [
  'Pay the invoices of a service business. Amounts are decimal dollars with at most two decimals.',
  'Every refusal has one shape: a sentence for people in `detail`, and what is wrong, field by field, in `errors`.',
  'Bodies are JSON in UTF-8 of at most 32 KiB (a payment of several invoices 256 KiB, an import 64 MB) and eight levels.',
].join('\n');

const SECURITY_SCHEMES = {
  app: {
    type: 'apiKey',
    in: 'header',
    name: 'X-APISecret',
    description: 'Names the web app. It ships to browsers, so it guards nothing by itself.',
  },
  session: { type: 'http', scheme: 'bearer', description: 'The access token of a sign-in.' },
  office: { type: 'http', scheme: 'bearer', description: 'A key of the offices, or the operator’s.' },
  staff: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-office',
    description:
      'The session of somebody who is signed in to the console. Writes also need its `Origin` and `X-Office: 1`; some a second factor in `X-Step-Up`. `X-Person` says whom a page was loaded for; a session of somebody else is then refused.',
  },
};

/** Serves `/api/openapi.json`, generated from the routes' own schemas, and `/api/docs` to read it. */
export const openapi = fastifyPlugin(async (app) => {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD' || !route.url.startsWith(PREFIX)) return;
    routes.push(route);
  });

  // Built on demand: few ask, and it takes longer than most of a start.
  let description: ReturnType<typeof describeApi> | undefined;
  const describe = () => {
    description ??= describeApi(routes);
    return description;
  };
  // One text for everybody: it is large, and whoever reads it slowly would hold a copy.
  let text: Buffer | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    text ??= Buffer.from(JSON.stringify(describe()));
    return reply.type('application/json; charset=utf-8').send(text);
  });

  let page: ReturnType<typeof renderApiPage> | undefined;
  app.get('/docs', async (_request, reply) => {
    page ??= renderApiPage(describe());
    return reply.headers(page.headers).type('text/html; charset=utf-8').send(page.html);
  });
});

function describeApi(routes: RouteOptions[]) {
  const paths: ApiDescription['paths'] = {};
  for (const route of routes) {
    const path = route.url.slice(PREFIX.length).replace(/:(\w+)/g, '{$1}');
    const method = String(route.method);
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeCall(route, { method, path }) };
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Brightpane', version: '1', description: DESCRIPTION },
    servers: [{ url: PREFIX }],
    paths,
    components: { ...REFUSAL_COMPONENTS, securitySchemes: SECURITY_SCHEMES },
  };
}
