import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Metrics } from '../metrics/metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The route's options for the hooks of every request. Fastify puts them together each time that they are read. */
    route: FastifyRequest['routeOptions'];
  }
}

/** Counts requests by route pattern, because every distinct URL would become its own series. */
export const requestMetrics = fastifyPlugin<{ metrics: Metrics }>(async (app, { metrics }) => {
  app.decorateRequest('route', null as unknown as FastifyRequest['routeOptions']);
  app.addHook('onRequest', (request, _reply, done) => {
    request.route = request.routeOptions;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.route.url ?? 'none';
    const labels = { method: request.method, route, status: reply.statusCode };
    metrics.requests.observe(labels, reply.elapsedTime / 1000);
    metrics.answers.inc({ status: `${Math.floor(reply.statusCode / 100)}xx` });
    done();
  });
});
