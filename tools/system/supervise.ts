import type { ChildProcess } from 'node:child_process';

export type PartName = 'portal' | 'emulator' | 'mailbox' | 'postgres';

export type Part = {
  name: PartName;
  process: ChildProcess;
  /** Part of its command line, to tell it from a process that reuses its pid. */
  marker: string;
  stop(): Promise<void>;
};

/** Parts stop before the parts they depend on. */
const STOP_ORDER: PartName[] = ['portal', 'emulator', 'mailbox', 'postgres'];

export type Supervisor = {
  add(part: Part): void;
  /** From now on, the end of this part is reported. Until then its starter takes care of it. */
  watch(name: PartName): void;
  /** Stops one part without reporting its end. */
  stopPart(name: PartName): Promise<void>;
  stopAll(): Promise<void>;
  /** The first part that ends unasked. */
  ended: Promise<PartName>;
};

export function supervise(onChange: (parts: Part[]) => void): Supervisor {
  const parts = new Map<PartName, Part>();
  const ending = Promise.withResolvers<PartName>();

  async function stopPart(name: PartName): Promise<void> {
    const part = parts.get(name);
    if (part === undefined) return;
    parts.delete(name);
    await part.stop();
    onChange([...parts.values()]);
  }

  return {
    add(part) {
      parts.set(part.name, part);
      onChange([...parts.values()]);
    },
    watch(name) {
      const part = parts.get(name);
      const tell = () => {
        if (part && parts.get(name) === part) ending.resolve(name);
      };
      if (part && hasEnded(part.process)) tell();
      part?.process.once('exit', tell);
    },
    stopPart,
    async stopAll() {
      // One that can't be stopped, or noted as stopped, leaves no other running.
      const failures: unknown[] = [];
      for (const name of STOP_ORDER) await stopPart(name).catch((error) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
    ended: ending.promise,
  };
}

/** Whether a child process is over. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
