import fastifyPlugin from 'fastify-plugin';
import { BARE_HEADERS, PROTECTIVE_HEADERS } from '../http/protective-headers.ts';

/** Headers of every answer, pages and errors alike. A page's own content policy is set where pages are served. */
export const securityHeaders = fastifyPlugin<{ publicUrl: string }>(async (app, { publicUrl }) => {
  const headers: Record<string, string> = { ...PROTECTIVE_HEADERS };
  if (publicUrl.startsWith('https:')) {
    headers['strict-transport-security'] = 'max-age=63072000; includeSubDomains';
  }
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(BARE_HEADERS)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
  });
});
