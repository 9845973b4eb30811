import type { ChildProcess } from 'node:child_process';

export type PartName = 'portal' | 'emulator' | 'mailbox' | 'postgres';

export type Part = {
  name: PartName;
  process: ChildProcess;
  /** Found in its command line, to tell it from a process that took over its number. */
  marker: string;
  stop(): Promise<void>;
};

/** Those who use another part stop before it. */
const STOP_ORDER: PartName[] = ['portal', 'emulator', 'mailbox', 'postgres'];

export type Supervisor = {
  add(part: Part): void;
  /** From here on, an end of this part is news. While it starts, who started it looks after it. */
  watch(name: PartName): void;
  /** Stops one part; that it ends is no surprise. */
  stopPart(name: PartName): Promise<void>;
  stopAll(): Promise<void>;
  /** The first part that ends without being asked to. */
  ended: Promise<PartName>;
};

/** Keeps watch over the parts of a system. */
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
      for (const name of STOP_ORDER) await stopPart(name);
    },
    ended: ending.promise,
  };
}

/** Whether a child process is over. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
