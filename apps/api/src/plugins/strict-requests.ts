import fastifyPlugin from 'fastify-plugin';
import { HttpProblem, UNREADABLE } from '../http/problem.ts';

const MOST_HEADERS = 100;
/** Programs before us may have gone by the other one. */
const ONCE_ONLY = ['host', 'authorization', 'content-type'];

/** Refuses requests that could be read in two ways, and bodies that we do not unpack. */
export const strictRequests = fastifyPlugin(async (app) => {
  // Node would answer by itself, in a shape of its own. An expectation that we do not know is none of ours to meet.
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
