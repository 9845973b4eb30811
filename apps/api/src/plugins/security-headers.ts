import fastifyPlugin from 'fastify-plugin';
import { BARE_HEADERS, protectiveHeaders } from '../http/protective-headers.ts';

const BARE = Object.entries(BARE_HEADERS);

/** Headers of every answer, pages and errors alike. A page's own content policy is set where pages are served. */
export const securityHeaders = fastifyPlugin<{ publicUrl: string }>(async (app, { publicUrl }) => {
  const headers = protectiveHeaders(publicUrl);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    for (const [name, value] of BARE) if (!reply.hasHeader(name)) reply.header(name, value);
    done();
  });
});
