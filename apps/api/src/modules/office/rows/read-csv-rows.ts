import { pipeline, type Readable } from 'node:stream';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import { type CsvError, parse } from 'csv-parse';
import { MAX_ROW_BYTES } from './max-row-bytes.ts';
import type { SourceRow } from './source-row.ts';

const REQUIRED_COLUMNS = INVOICE_COLUMNS.length - 1;

const SENTENCES: Partial<Record<CsvError['code'], string>> = {
  INVALID_OPENING_QUOTE: 'a value with quotation marks must be quoted, and the marks doubled',
  CSV_INVALID_CLOSING_QUOTE: 'a quotation mark inside a quoted value must be doubled',
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed',
  CSV_MAX_RECORD_SIZE: 'the line is too long',
};

type ParsedRecord = { record: string[]; info: { lines: number } };

/** What the parser has read so far of the record it is at; each record has an array of its own. */
type ParserState = { state: { record: string[] } };

/** Reads a CSV file's rows one by one (RFC 4180, UTF-8, with or without a byte order mark). */
export async function* readCsvRows(body: Readable): AsyncGenerator<SourceRow> {
  const unreadable: SourceRow[] = [];
  /** The first line that is too long. From there on the parser drops parts of the file, and doesn't know where it is. */
  let lostAt: number | undefined;
  /** The last record with a fault. */
  let faulty: string[] | undefined;
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_ROW_BYTES,
    on_skip: (error) => {
      if (!error || lostAt !== undefined) return undefined;
      const { record } = (parser as unknown as ParserState).state;
      // The parser skips a record once, but calls this for each fault in it.
      if (record === faulty) return undefined;
      faulty = record;
      unreadable.push({ line: Number(error.lines), fault: sentence(error) });
      if (error.code === 'CSV_MAX_RECORD_SIZE') lostAt = Number(error.lines);
      return undefined;
    },
  });
  // An early end of the body ends the parser, and with it the loop below.
  pipeline(body, parser, () => {});

  let header: string[] | undefined;
  let countedTwice = 0;
  for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
    while (unreadable.length > 0) yield unreadable.shift() as SourceRow;
    if (lostAt !== undefined && info.lines >= lostAt) return;
    const breaks = lineBreaksIn(record);
    // The parser counts a two-character line break inside quotes as two lines.
    countedTwice += breaks.ofTwoCharacters;
    const line = info.lines - countedTwice - breaks.all;
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

function lineBreaksIn(record: string[]): { all: number; ofTwoCharacters: number } {
  let all = 0;
  let ofTwoCharacters = 0;
  for (const value of record) {
    if (!value.includes('\n')) continue;
    all += value.match(/\r?\n/g)?.length ?? 0;
    ofTwoCharacters += value.match(/\r\n/g)?.length ?? 0;
  }
  return { all, ofTwoCharacters };
}
