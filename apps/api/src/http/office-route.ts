import type { OfficeEndpoint } from '@brightpane/contract/office-endpoints';
import type { Right } from '@brightpane/contract/office-rights';
import type {
  ContextConfigDefault,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify';
import * as z from 'zod';
import type { ZodTypeProvider } from './schema.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Read by the hooks that admit callers. */
    office?: OfficeEndpoint;
  }
}

type Schema = {
  params?: z.ZodType;
  /** Without it, a call takes no query. */
  querystring?: z.ZodObject;
  body?: z.ZodType;
  response?: Record<number, z.ZodType>;
};

type Handler<Of extends Schema> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  ContextConfigDefault,
  Of,
  ZodTypeProvider
>;

/**
 * Registers an office call from its row of `OFFICE_ENDPOINTS`. Checks run in a fixed order: the caller (401), their
 * right (403), the form (400) and, in the handler, whether the subject is visible (404), the second factor (403) and
 * the subject's state (409). So a refusal never reveals whether another office's thing exists.
 */
export function officeRoute<const Of extends Schema = Schema>(
  app: FastifyInstance,
  endpoint: OfficeEndpoint & { right: Right | null },
  {
    schema,
    handler,
    config,
  }: { schema?: Of; handler: Handler<Of>; config?: Omit<ContextConfigDefault, 'office'> },
): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: endpoint.method,
    url: endpoint.path,
    config: { ...config, office: endpoint },
    schema: { ...schema, querystring: queryOf(endpoint, schema) },
    handler: handler as Handler<Schema>,
  });
}

/** A download is a link, so its second factor is a query parameter. */
function queryOf(endpoint: OfficeEndpoint, schema: Schema | undefined): z.ZodObject {
  const query = schema?.querystring ?? z.strictObject({});
  const isDownload = endpoint.method === 'GET' && endpoint.stepUp !== false;
  return isDownload ? query.extend({ stepUp: z.string().max(200).optional() }) : query;
}

/** A download's own parameters, without the second factor that its query may carry. */
export function withoutStepUp<Asked extends object>(query: Asked): Asked {
  const { stepUp: _, ...asked } = query as Asked & { stepUp?: string };
  return asked as Asked;
}
