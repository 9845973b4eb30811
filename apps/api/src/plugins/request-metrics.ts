import fastifyPlugin from 'fastify-plugin';
import type { Metrics } from '../metrics/metrics.ts';

/** Counts requests by route pattern, because every distinct URL would become its own series. */
export const requestMetrics = fastifyPlugin<{ metrics: Metrics }>(async (app, { metrics }) => {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const labels = { method: request.method, route, status: reply.statusCode };
    metrics.requests.observe(labels, reply.elapsedTime / 1000);
  });
});
