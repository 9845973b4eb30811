import { pipeline, type Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import { type CsvError, parse } from 'csv-parse';
import { LineCounter } from './count-lines.ts';
import { MAX_ROW_BYTES } from './max-row-bytes.ts';
import type { SourceRow } from './source-row.ts';

const REQUIRED_COLUMNS = INVOICE_COLUMNS.length - 1;

const SENTENCES: Partial<Record<CsvError['code'], string>> = {
  INVALID_OPENING_QUOTE: 'a value with quotation marks must be quoted, and the marks doubled',
  CSV_INVALID_CLOSING_QUOTE: 'a quotation mark inside a quoted value must be doubled',
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed',
  CSV_MAX_RECORD_SIZE: 'the line is too long',
};

/** Where a record stands, behind the unreadable ones. */
type Place = { line: number; unreadable: SourceRow[]; isLost: boolean };

/** What the parser has read so far of the record it is at; each record has an array of its own. */
type ParserState = { state: { record: string[] } };

/** Reads a CSV file's rows one by one (RFC 4180; UTF-8, with or without a byte order mark, or UTF-16 with one). */
export async function* readCsvRows(body: Readable): AsyncGenerator<SourceRow> {
  const lines = new LineCounter();
  /** Of records that are parsed and not read yet. */
  const places: Place[] = [];
  let unreadable: SourceRow[] = [];
  /** A line was too long. From there on the parser drops parts of the file, and doesn't know where it is. */
  let isLost = false;
  /** The last record with a fault. */
  let faulty: string[] | undefined;
  const parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_ROW_BYTES,
    on_record: (record, { bytes }) => {
      const line = lines.lineEndingAt(bytes) - breaksInside(record);
      places.push({ line, unreadable, isLost });
      unreadable = [];
      return record;
    },
    on_skip: (error) => {
      if (!error || isLost) return undefined;
      const { record } = (parser as unknown as ParserState).state;
      // The parser skips a record once, but calls this for each fault in it.
      if (record === faulty) return undefined;
      faulty = record;
      // The end of the value before, or of the record before.
      const begin = Number(error.bytes);
      const line =
        record.length === 0 ? lines.filledLineFrom(begin) : lines.lineAt(begin) - breaksIn(record.join('"'));
      unreadable.push({ line, fault: sentence(error) });
      isLost = error.code === 'CSV_MAX_RECORD_SIZE';
      return undefined;
    },
  });
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of asUtf8(chunks)) {
      if (!isLost) lines.add(chunk);
      yield chunk;
    }
  };
  // An early end of the body ends the parser, and with it the loop below.
  pipeline(body, counted, parser, () => {});

  let header: string[] | undefined;
  for await (const record of parser as AsyncIterable<string[]>) {
    const { line, ...place } = places.shift() as Place;
    yield* place.unreadable;
    if (place.isLost) return;
    if (header === undefined) {
      header = record.map((name) => name.trim());
      if (!isHeader(header)) {
        yield { line, fault: `the header must be ${INVOICE_COLUMNS.join(',')} (the last may be left out)` };
        return;
      }
    } else if (record.length !== header.length) {
      yield { line, fault: `${record.length} values where the header has ${header.length}` };
    } else {
      yield { line, values: record };
    }
  }
  yield* unreadable;
  if (header === undefined && unreadable.length === 0) yield { line: 1, fault: 'the file is empty' };
}

const UTF_16_MARK = Buffer.from([0xff, 0xfe]);

/** The parser would read UTF-16 too, as Windows programs write it, but its lines couldn't be counted byte by byte. */
async function* asUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begin: Buffer | undefined = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (begin) {
      begin = Buffer.concat([begin, chunk]);
      if (begin.length < UTF_16_MARK.length) continue;
      if (begin.subarray(0, UTF_16_MARK.length).equals(UTF_16_MARK)) decoder = new TextDecoder('utf-16le');
      bytes = begin;
      begin = undefined;
    }
    yield decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes;
  }
  if (begin) yield begin;
}

function sentence(error: CsvError): string {
  return SENTENCES[error.code] ?? 'the line is not CSV';
}

function isHeader(names: string[]): boolean {
  return (
    names.length >= REQUIRED_COLUMNS &&
    names.length <= INVOICE_COLUMNS.length &&
    names.every((name, index) => name === INVOICE_COLUMNS[index])
  );
}

/** The line breaks inside a record. A CR at its end belongs to the line break behind it: the header may have ended in LF. */
function breaksInside(record: string[]): number {
  if (!record.some((value) => value.includes('\n') || value.includes('\r'))) return 0;
  return breaksIn(record.join('"').replace(/\r$/, ''));
}

const breaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;
