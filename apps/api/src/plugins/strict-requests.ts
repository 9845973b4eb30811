import fastifyPlugin from 'fastify-plugin';
import { HttpProblem, UNREADABLE } from '../http/problem.ts';

const MOST_HEADERS = 100;
/** If repeated, an upstream proxy may have trusted the other header. */
const ONCE_ONLY = ['host', 'authorization', 'content-type'];

/** Refuses ambiguous requests, and encoded bodies that we don't decode. */
export const strictRequests = fastifyPlugin(async (app) => {
  // Handle the event, or Node would answer in its own format. We ignore expectations that we don't know.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', async ({ raw, headers }) => {
    const names = raw.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    if (names.length > MOST_HEADERS) throw new HttpProblem(431, 'This request has too many headers.');
    if (ONCE_ONLY.some((name) => names.indexOf(name) !== names.lastIndexOf(name))) {
      throw new HttpProblem(400, UNREADABLE);
    }
    if (headers.host === undefined && raw.httpVersion !== '1.0') throw new HttpProblem(400, UNREADABLE);
    if (headers['content-encoding'] !== undefined) throw new HttpProblem(415, 'Please send JSON as it is.');
  });
});
