import fastifyPlugin from 'fastify-plugin';
import { HttpProblem, UNREADABLE } from '../http/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A JSON body's exact bytes. */
    bodyBytes: Buffer | null;
  }
}

/** Our deepest body has three levels. */
const MAX_DEPTH = 8;

/**
 * Parses JSON: UTF-8, limited depth, nothing that reaches for a prototype. Some clients label even a missing body as
 * JSON; calls without a body accept that.
 */
export const jsonBodies = fastifyPlugin(async (app) => {
  // Fastify parses plain text by default, but none of our calls takes it.
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** `null` if the bytes aren't UTF-8; decoding them anyway would give text that nobody sent. */
function readUtf8(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Counts brackets outside of strings; the parser checks whether the rest is JSON. */
function isDeeperThan(json: string, limit: number): boolean {
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
