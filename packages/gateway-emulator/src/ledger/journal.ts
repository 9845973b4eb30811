import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * An append-only file of JSON lines. `append` resolves once the line is on disk, so an answered call is never lost.
 * Lines that arrive during a flush share the next one.
 */
export class Journal {
  #file: FileHandle;
  #waiting: { line: string; resolve: () => void; reject: (reason: unknown) => void }[] = [];
  #flushing: Promise<void> | undefined;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens the file and returns its entries. A torn last line was never acknowledged, so it is cut off. */
  static async open(path: string): Promise<{ journal: Journal; entries: unknown[] }> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a+', 0o600);
    const bytes = await readFile(path);
    const end = bytes.lastIndexOf('\n') + 1;
    if (end < bytes.length) await file.truncate(end);
    const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
    return { journal: new Journal(file), entries: lines.map((line) => JSON.parse(line)) };
  }

  append(entry: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${JSON.stringify(entry)}\n`, resolve, reject });
      this.#flushing ??= this.#flush().finally(() => {
        this.#flushing = undefined;
      });
    });
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#file.appendFile(batch.map(({ line }) => line).join(''));
        await this.#file.datasync();
        for (const { resolve } of batch) resolve();
      } catch (reason) {
        for (const { reject } of batch) reject(reason);
      }
    }
  }
}
