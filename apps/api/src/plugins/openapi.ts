import { problemSchema } from '@brightpane/contract/problem';
import type { RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import * as z from 'zod';

type Operation = Record<string, unknown>;

const PREFIX = '/api';

const jsonOf = (schema: z.ZodType, io: 'input' | 'output') => ({
  'application/json': {
    schema: z.toJSONSchema(schema, { target: 'openapi-3.0', io, unrepresentable: 'any' }),
  },
});

/** `/api/openapi.json`, written from the very schemas that the routes check and answer with. */
export const openapi = fastifyPlugin(async (app) => {
  const paths: Record<string, Record<string, Operation>> = {};

  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD' || !route.url.startsWith(PREFIX)) return;
    const path = route.url.slice(PREFIX.length).replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: describe(route, path) };
  });

  app.get('/openapi.json', async () => ({
    openapi: '3.0.3',
    info: { title: 'Brightpane', version: '1', description: 'Pay the invoices of a service business.' },
    servers: [{ url: PREFIX }],
    paths,
  }));
});

function describe(route: RouteOptions, path: string): Operation {
  const { body, params, querystring, response } = route.schema ?? {};
  return {
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter('path', name ?? '', params)),
      ...(querystring instanceof z.ZodObject
        ? Object.keys(querystring.shape).map((name) => parameter('query', name, querystring))
        : []),
    ],
    ...(body instanceof z.ZodType && { requestBody: { required: true, content: jsonOf(body, 'input') } }),
    responses: {
      ...Object.fromEntries(
        Object.entries((response ?? {}) as Record<string, unknown>).map(([status, schema]) => [
          status,
          schema instanceof z.ZodType
            ? { description: 'Success', content: jsonOf(schema, 'output') }
            : { description: 'Success' },
        ]),
      ),
      default: {
        description: 'Refused, with a sentence for people',
        content: jsonOf(problemSchema, 'output'),
      },
    },
  };
}

function parameter(place: 'path' | 'query', name: string, schema: unknown): Operation {
  const field: unknown = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
  const type =
    field instanceof z.ZodType
      ? z.toJSONSchema(field, { target: 'openapi-3.0', io: 'input', unrepresentable: 'any' })
      : { type: 'string' };
  return { name, in: place, required: place === 'path', schema: type };
}
