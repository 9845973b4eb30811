import type { LightMyRequestResponse } from 'fastify';
import * as z from 'zod';
import type { TestApp } from '../build-test-app.ts';
import type { Request } from './calls.ts';

type Answer = { $ref?: string; content?: Record<string, { schema: object }> };
type Operation = { security: unknown[]; responses: Record<string, Answer> };
type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Answer>; schemas: Record<string, object> };
};

export type DescribedApi = {
  /** How an answer differs from the API's description, in words. */
  judge(request: Request, answer: LightMyRequestResponse): string[];
  /** The call's name in the description: `POST /user/invoice/search`. */
  nameOf(request: Pick<Request, 'method' | 'url'>): string | undefined;
  /** Every call that not everybody may make. */
  guardedCalls(): string[];
};

/** Compares answers with `/api/openapi.json`. */
export async function readApi({ app }: TestApp): Promise<DescribedApi> {
  const { paths, components } = (await app.inject('/api/openapi.json')).json<Description>();
  const routes = Object.entries(paths).map(([path, operations]) => ({
    path,
    operations,
    pattern: new RegExp(`^/api${path.replace(/\{\w+\}/g, '[^/]*')}$`),
  }));
  const checks = new Map<string, z.ZodType>();

  const checkOf = (name: string, schema: object) => {
    const check = checks.get(name) ?? z.fromJSONSchema({ ...schema }, { defaultTarget: 'openapi-3.0' });
    checks.set(name, check);
    return check;
  };

  const find = ({ method, url }: Pick<Request, 'method' | 'url'>) => {
    const [pathname = ''] = url.split('?');
    const name = method.toLowerCase();
    // `/office/staff/confirm` also looks like `/office/staff/{staffId}`, which has other methods.
    const route = routes.find(({ pattern, operations }) => name in operations && pattern.test(pathname));
    const operation = route?.operations[name];
    return route && operation && { operation, name: `${method} ${route.path}` };
  };

  return {
    nameOf: (request) => find(request)?.name,
    guardedCalls: () =>
      routes.flatMap(({ path, operations }) =>
        Object.entries(operations)
          .filter(([, { security }]) => security.length > 0)
          .map(([method]) => `${method.toUpperCase()} ${path}`),
      ),
    judge(request, answer) {
      const status = answer.statusCode;
      const found = find(request);
      // Unknown URLs answer 404 and aren't described; URLs that the router can't parse answer 400.
      if (!found) return status === 400 || status === 404 ? [] : [`${status} of nothing`];
      const name = `${found.name} ${status}`;
      const named = found.operation.responses[status];
      if (!named) return [`${name} is not declared: ${answer.body}`];
      const isRefusal = named.$ref !== undefined;
      const content = (isRefusal ? components.responses[status] : named)?.content;
      if (!content) return answer.body === '' ? [] : [`${name} declares no body`];
      const [type = ''] = String(answer.headers['content-type']).split(';');
      if (!(type in content)) return [`${name} is ${type}`];
      if (type !== 'application/json') return [];
      const schema = (isRefusal ? components.schemas.Problem : content[type]?.schema) ?? {};
      const parsed = checkOf(isRefusal ? 'refusal' : name, schema).safeParse(answer.json());
      return parsed.success ? [] : [`${name} has another shape: ${parsed.error.message}`];
    },
  };
}
