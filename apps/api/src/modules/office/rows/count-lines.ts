/** Says on which line of a file a byte stands. CRLF, LF and CR each end a line, as in an editor. */
export class LineCounter {
  /** What is not counted yet. */
  #chunks: Buffer[] = [];
  #held = 0;
  /** How much of the first chunk is counted. */
  #inChunk = 0;
  #offset = 0;
  #line = 1;
  #last: number | undefined;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#held > MOST_BYTES) this.#count(Number.POSITIVE_INFINITY, { breaksOnly: true });
  }

  /** The line of the byte at an offset. Offsets must not go back, except over line breaks. */
  lineAt(offset: number): number {
    this.#count(offset);
    return this.#line;
  }

  /** The first line from an offset on that isn't empty. */
  filledLineFrom(offset: number): number {
    this.#count(offset);
    this.#count(Number.POSITIVE_INFINITY, { breaksOnly: true });
    return this.#line;
  }

  /** The line that ends at an offset, with or without a line break. */
  lineEndingAt(offset: number): number {
    const next = this.lineAt(offset);
    return this.#last === CR || this.#last === LF ? next - 1 : next;
  }

  #count(to: number, { breaksOnly = false } = {}): void {
    for (let chunk = this.#chunks[0]; chunk && this.#offset < to; chunk = this.#chunks[0]) {
      const begin = this.#inChunk;
      const end = Math.min(chunk.length, begin + to - this.#offset);
      let at = begin;
      let line = this.#line;
      let last = this.#last;
      for (; at < end; at++) {
        const byte = chunk[at];
        const isBreak = byte === LF || byte === CR;
        if (breaksOnly && !isBreak) break;
        if (isBreak && !(byte === LF && last === CR)) line++;
        last = byte;
      }
      this.#line = line;
      this.#last = last;
      this.#offset += at - begin;
      this.#inChunk = at;
      if (at < chunk.length) return;
      this.#chunks.shift();
      this.#held -= chunk.length;
      this.#inChunk = 0;
    }
  }
}

const LF = 10;
const CR = 13;

/** Far more than a row; only empty lines come in such lengths without anybody asking for a line. */
const MOST_BYTES = 1024 * 1024;
