import fastifyPlugin from 'fastify-plugin';
import { HttpProblem, UNREADABLE } from '../http/problem.ts';

const MOST_HEADERS = 100;
/** If repeated, an upstream proxy may have trusted the other header. Each has a bit. */
const ONCE_ONLY = new Map([
  ['host', 1],
  ['authorization', 2],
  ['content-type', 4],
]);

/** Refuses ambiguous requests, and encoded bodies that we don't decode. */
export const strictRequests = fastifyPlugin(async (app) => {
  // Handle the event, or Node would answer in its own format. We ignore expectations that we don't know.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', ({ raw, headers }, _reply, done) => {
    const { rawHeaders } = raw;
    if (rawHeaders.length > 2 * MOST_HEADERS)
      throw new HttpProblem(431, 'This request has too many headers.');
    if (isAnyRepeated(rawHeaders)) throw new HttpProblem(400, UNREADABLE);
    if (headers.host === undefined && raw.httpVersion !== '1.0') throw new HttpProblem(400, UNREADABLE);
    if (headers['content-encoding'] !== undefined) throw new HttpProblem(415, 'Please send JSON as it is.');
    done();
  });
});

/** Names and values alternate. */
function isAnyRepeated(rawHeaders: readonly string[]): boolean {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const bit = ONCE_ONLY.get(rawHeaders[at]?.toLowerCase() ?? '') ?? 0;
    if (seen & bit) return true;
    seen |= bit;
  }
  return false;
}
