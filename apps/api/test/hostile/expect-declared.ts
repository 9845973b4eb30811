import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import * as z from 'zod';
import type { TestApp } from '../build-test-app.ts';
import type { Request } from './calls.ts';

type Answer = { $ref?: string; content?: Record<string, { schema: object }> };
type Description = {
  paths: Record<string, Record<string, { responses: Record<string, Answer> }>>;
  components: { responses: Record<string, Answer>; schemas: Record<string, object> };
};

export type DescribedApi = {
  /** Fails on an answer that the description of the API does not have, or has in another shape. */
  expectDeclared(request: Request, answer: LightMyRequestResponse): void;
};

/** Holds answers against `/api/openapi.json`. */
export async function readApi({ app }: TestApp): Promise<DescribedApi> {
  const { paths, components } = (await app.inject('/api/openapi.json')).json<Description>();
  const checks = new Map<string, z.ZodType>();

  const operationOf = (request: Request) => {
    const { pathname } = new URL(request.url, 'http://portal');
    const path = Object.keys(paths).find((candidate) =>
      new RegExp(`^/api${candidate.replace(/\{\w+\}/g, '[^/]*')}$`).test(pathname),
    );
    const operation = path === undefined ? undefined : paths[path]?.[request.method.toLowerCase()];
    return operation && { name: `${request.method} ${path}`, operation };
  };

  return {
    expectDeclared(request, answer) {
      const found = operationOf(request);
      // What is at no address answers 404 and is in no description; what no router reads answers 400.
      if (!found) return expect([400, 404]).toContain(answer.statusCode);
      const named = found.operation.responses[answer.statusCode];
      if (!named) throw new Error(`${found.name} does not declare ${answer.statusCode}: ${answer.body}`);
      const isRefusal = named.$ref !== undefined;
      const declared = isRefusal ? components.responses[answer.statusCode] : named;
      const content = declared?.content;
      if (!content) return expect(answer.body).toBe('');
      const type = String(answer.headers['content-type']).split(';')[0] ?? '';
      expect(Object.keys(content), found.name).toContain(type);
      if (type !== 'application/json') return;
      const key = isRefusal ? 'refusal' : `${found.name} ${answer.statusCode}`;
      const schema = isRefusal ? components.schemas.Problem : content[type]?.schema;
      const check = checks.get(key) ?? z.fromJSONSchema({ ...schema }, { defaultTarget: 'openapi-3.0' });
      checks.set(key, check);
      const parsed = check.safeParse(answer.json());
      if (!parsed.success) throw new Error(`${key}: ${parsed.error.message}: ${answer.body}`);
    },
  };
}
