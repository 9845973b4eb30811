import type { ImportFault } from '@brightpane/contract/office/imports';
import type { ProblemError } from '@brightpane/contract/problem';
import type { RowFault } from './row-fault.ts';

/** The most lines that a refused import names, and the most faults that a check lists. */
const MOST_LINES = 100;
const MOST_FAULTS = 1_000;

/** Collects a file's bad lines: names the first, counts all. */
export class ImportFaults {
  /** Counts lines. */
  count = 0;
  readonly #kept: { line: number; faults: RowFault[] }[] = [];

  add(line: number, faults: RowFault[]): void {
    this.count++;
    if (this.#kept.length < MOST_FAULTS) this.#kept.push({ line, faults });
  }

  /** One sentence per line. */
  get errors(): ProblemError[] {
    return this.#kept
      .slice(0, MOST_LINES)
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, faults }) => {
        const sentences = faults.map(({ sentence }) => sentence).join('; ');
        return { code: 'BadLine', description: `line ${line}: ${sentences}` };
      });
  }

  /** One entry per fault. */
  get named(): ImportFault[] {
    return this.#kept
      .toSorted((one, other) => one.line - other.line)
      .flatMap(({ line, faults }) => faults.map(({ column, value, rule }) => ({ line, column, value, rule })))
      .slice(0, MOST_FAULTS);
  }
}
