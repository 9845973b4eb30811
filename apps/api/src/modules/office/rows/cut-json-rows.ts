import type { Readable } from 'node:stream';
import { MAX_ROW_BYTES } from './max-row-bytes.ts';

export const NOT_JSON = 'this is not JSON';
const SHAPE = 'the body must be {"rows": [...]}';
const TOO_LONG = 'the row is too long';
const TOO_DEEP = 'the row has too many levels';

/** The whole body may have eight, as everywhere; its object and its list are two of them. */
const MAX_ROW_LEVELS = 6;

const HEAD = /^\uFEFF?[ \t\r\n]*\{[ \t\r\n]*"rows"[ \t\r\n]*:[ \t\r\n]*\[$/;
const MAX_HEAD_BYTES = 1024;

/** A row's bytes, which may turn out not to be JSON, or why there is no further row. */
export type CutRow = { bytes: Buffer } | { fault: string };

/**
 * Cuts `{"rows": [...]}` into its rows, as chunks bring them, without looking into them. A parser of the whole would build
 * whatever it is sent; this keeps one row of limited size. Nothing follows a fault.
 */
export async function* cutJsonRows(body: Readable): AsyncGenerator<CutRow[]> {
  const rows = new RowCutter();
  let head: Buffer | undefined = Buffer.alloc(0);
  let tail = '';
  for await (const chunk of body as AsyncIterable<Buffer>) {
    let rest = chunk;
    if (head) {
      head = Buffer.concat([head, chunk]);
      const opened = head.indexOf('[');
      if (opened < 0 && head.length <= MAX_HEAD_BYTES) continue;
      if (!HEAD.test(head.toString('utf8', 0, opened + 1))) return yield [{ fault: SHAPE }];
      rest = head.subarray(opened + 1);
      head = undefined;
    }
    if (!rows.isClosed) {
      yield rows.cut(rest);
      rest = rows.rest;
    }
    tail += rest.toString('latin1').replaceAll(/[ \t\r\n]/g, '');
    if (tail.startsWith(',')) return yield [{ fault: SHAPE }];
    if (!'}'.startsWith(tail)) return yield [{ fault: NOT_JSON }];
  }
  if (head) yield [{ fault: SHAPE }];
  else if (tail !== '}') yield [{ fault: NOT_JSON }];
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');

class RowCutter {
  /** Whether the list has ended; `rest` follows it. */
  isClosed = false;
  rest: Buffer = Buffer.alloc(0);
  /** What earlier chunks had of the present row. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #levels = 0;
  #inText = false;
  #afterBackslash = false;
  #isFirst = true;

  /** The rows that end in this chunk. After a fault it is of no more use. */
  cut(chunk: Buffer): CutRow[] {
    const rows: CutRow[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#inText) {
        if (this.#afterBackslash) this.#afterBackslash = false;
        else if (byte === BACKSLASH) this.#afterBackslash = true;
        else if (byte === QUOTE) this.#inText = false;
      } else if (byte === QUOTE) {
        this.#inText = true;
      } else if (this.#levels === 0 && (byte === COMMA || byte === CLOSE_LIST)) {
        const bytes = this.#take(chunk.subarray(start, at));
        if (bytes.length > MAX_ROW_BYTES) return [...rows, { fault: TOO_LONG }];
        start = at + 1;
        this.isClosed = byte === CLOSE_LIST;
        const isEmptyList = this.isClosed && this.#isFirst && bytes.toString('latin1').trim() === '';
        if (!isEmptyList) rows.push({ bytes });
        this.#isFirst = false;
        if (this.isClosed) {
          this.rest = chunk.subarray(start);
          return rows;
        }
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (++this.#levels > MAX_ROW_LEVELS) return [...rows, { fault: TOO_DEEP }];
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (this.#levels-- === 0) return [...rows, { fault: NOT_JSON }];
      }
    }
    this.#begun.push(chunk.subarray(start));
    this.#begunBytes += chunk.length - start;
    return this.#begunBytes > MAX_ROW_BYTES ? [...rows, { fault: TOO_LONG }] : rows;
  }

  #take(end: Buffer): Buffer {
    const bytes = this.#begun.length === 0 ? end : Buffer.concat([...this.#begun, end]);
    this.#begun = [];
    this.#begunBytes = 0;
    return bytes;
  }
}
