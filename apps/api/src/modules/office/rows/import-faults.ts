import type { ProblemError } from '@brightpane/contract/problem';

const MAX_NAMED = 100;

/** The bad lines of a file: the first hundred by name, all of them counted. */
export class ImportFaults {
  count = 0;
  readonly #named: { line: number; sentence: string }[] = [];

  add(line: number, sentence: string): void {
    this.count++;
    if (this.#named.length < MAX_NAMED) this.#named.push({ line, sentence });
  }

  get errors(): ProblemError[] {
    return this.#named
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, sentence }) => ({ code: 'BadLine', description: `line ${line}: ${sentence}` }));
  }
}
