import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { finished, type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  importBrokeOff,
  importFormatUnknown,
  importTooLarge,
  MAX_IMPORT_BYTES,
} from './import-body.problems.ts';
import { readCsvRows } from './read-csv-rows.ts';
import { readJsonRows } from './read-json-rows.ts';
import type { SourceRow } from './source-row.ts';

/** Identifies a file by its content. */
export type FileDigest = { bytes: number; sha256: string };

export type ImportBody = {
  rows(): AsyncIterable<SourceRow>;
  /** Resolves when the last byte has arrived, possibly after the rows were read. */
  digest: Promise<FileDigest>;
  /** Stops reading and drops the rest. */
  drop(): void;
};

type Format = 'csv' | 'json';

/** Parses this scope's bodies as rows. Text counts as CSV; any other type but CSV and JSON is refused. */
export function acceptImportBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const accept = (contentType: string, format: Format) =>
    app.addContentTypeParser(contentType, async (request: FastifyRequest, payload: IncomingMessage) => {
      if (Number(request.headers['content-length']) > MAX_IMPORT_BYTES) throw importTooLarge();
      return openBody(payload, format);
    });
  accept('text/csv', 'csv');
  accept('application/json', 'json');
  app.addContentTypeParser('*', async () => {
    throw importFormatUnknown();
  });
}

function openBody(payload: IncomingMessage, format: Format): ImportBody {
  const digest = digestOf(payload);
  const stream = limited(payload);
  return {
    rows: () => (format === 'csv' ? readCsvRows(stream) : readJsonRows(stream)),
    digest,
    drop: () => stream.destroy(),
  };
}

function digestOf(payload: IncomingMessage): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  const digest = new Promise<FileDigest>((resolve, reject) => {
    payload.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes > MAX_IMPORT_BYTES) reject(importTooLarge());
    });
    finished(payload, (error) => {
      if (error) reject(importBrokeOff());
      else resolve({ bytes, sha256: hash.digest('hex') });
    });
  });
  // Reading the rows reports the same error.
  digest.catch(() => {});
  return digest;
}

/**
 * The body up to its limit. The reader may stop at any time; the rest is then read and dropped, because a client still
 * sending wouldn't see the answer.
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
  // A client may leave while the import waits for its turn, before anybody reads.
  body.on('error', () => {});
  finished(payload, (error) => {
    if (error) body.destroy(importBrokeOff());
  });
  return payload.pipe(body);
}
