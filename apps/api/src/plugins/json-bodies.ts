import fastifyPlugin from 'fastify-plugin';
import { HttpProblem, UNREADABLE } from '../http/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A JSON body as it arrived. */
    bodyBytes: Buffer | null;
  }
}

/** The deepest body of ours has three levels. */
const MAX_DEPTH = 8;

/**
 * Reads JSON: UTF-8, no deeper than any body of ours, nothing that would reach for a prototype. Some clients call every
 * body JSON, also the one that they do not send: calls without a body take that as none.
 */
export const jsonBodies = fastifyPlugin(async (app) => {
  // Fastify reads plain text by itself, and no call of ours takes it.
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('bodyBytes', null);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    request.bodyBytes = body;
    const json = readUtf8(body);
    if (json === null || isDeeperThan(json, MAX_DEPTH)) return done(new HttpProblem(400, UNREADABLE));
    return parseJson(request, json, done);
  });
});

/** `null` where bytes are not UTF-8: they would be read as something that nobody sent. */
function readUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Counts brackets outside of strings; whether the rest is JSON is for the parser to say. */
export function isDeeperThan(json: string, limit: number): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (inText) {
      if (character === '\\') at++;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth > limit) return true;
  }
  return false;
}
