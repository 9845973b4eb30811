import type { FastifyError } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { databaseTrouble } from '../db/database-trouble.ts';
import { busy, unreachable } from '../http/busy.ts';
import { HttpProblem, problemBody, UNREADABLE } from '../http/problem.ts';

/** Statuses that get a default `retry-after` header. */
const COME_AGAIN = [429, 503];
const COME_AGAIN_SECONDS = '5';

const NOT_FOUND = 'There is nothing at this address.';

/** Sentences for refusals by the HTTP server, before a route is reached, by error code. */
const REFUSALS: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'This request is too large.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Please send JSON.',
};

/**
 * The only error handler. Answers a problem as it is; anything else is a bug, logged once and answered with a bare 500.
 */
export const problemDetails = fastifyPlugin(async (app) => {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (COME_AGAIN.includes(reply.statusCode) && !reply.hasHeader('retry-after')) {
      reply.header('retry-after', COME_AGAIN_SECONDS);
    }
    done();
  });
  app.setErrorHandler((error: FastifyError | HttpProblem, request, reply) => {
    // A failed schema check arrives wrapped or bare, depending on where it was thrown.
    const problem = error instanceof HttpProblem ? error : error.cause;
    if (problem instanceof HttpProblem) {
      return reply.code(problem.body.status).headers(problem.headers).send(problem.body);
    }
    const status = (error as FastifyError).statusCode ?? 500;
    if (status >= 400 && status < 500) {
      const detail = REFUSALS[(error as FastifyError).code] ?? UNREADABLE;
      return reply.code(status).send(problemBody(status, detail));
    }
    const trouble = databaseTrouble(error);
    if (trouble !== null) {
      request.log.warn({ err: error, trouble }, 'the database could not serve a request');
      const { body, headers } = trouble === 'locked' ? busy() : unreachable();
      return reply.code(body.status).headers(headers).send(body);
    }
    request.log.error({ err: error }, 'unexpected error');
    return reply.code(500).send({ ...problemBody(500, 'Internal server error'), requestId: request.id });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(problemBody(404, NOT_FOUND)));
});
