import type { IncomingMessage } from 'node:http';
import { finished, type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { importBrokeOff, importFormatUnknown, importTooLarge, MAX_IMPORT_BYTES } from '../office.problems.ts';

export type ImportBody = { format: 'csv' | 'json'; stream: Readable };

/** Hands the bodies of this scope on as streams. Text is CSV; anything but CSV and JSON is refused. */
export function acceptImportBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const accept = (contentType: string, format: ImportBody['format']) =>
    app.addContentTypeParser(contentType, async (request: FastifyRequest, payload: IncomingMessage) => {
      if (Number(request.headers['content-length']) > MAX_IMPORT_BYTES) throw importTooLarge();
      return { format, stream: limited(payload) };
    });
  accept('text/csv', 'csv');
  accept('application/json', 'json');
  app.addContentTypeParser('*', async () => {
    throw importFormatUnknown();
  });
}

/**
 * The body up to its limit. Whoever reads it may stop at any time: the rest is then read and dropped, since a client
 * that is still sending would not see the answer.
 */
function limited(payload: IncomingMessage): Readable {
  let received = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > MAX_IMPORT_BYTES) done(importTooLarge());
      else done(null, chunk);
    },
  });
  body.on('close', () => {
    payload.unpipe(body);
    payload.resume();
  });
  // A sender may leave while the import waits for its turn, when nobody reads yet.
  body.on('error', () => {});
  finished(payload, (error) => {
    if (error) body.destroy(importBrokeOff());
  });
  return payload.pipe(body);
}
