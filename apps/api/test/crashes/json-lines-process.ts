import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Caches the compiled sources of the first such process, so that the next ones start sooner. */
const COMPILED = join(tmpdir(), `brightpane-json-lines-${process.pid}`);
process.once('exit', () => rmSync(COMPILED, { recursive: true, force: true }));

/** A process that prints nothing for this long hangs. */
const SILENCE_MILLISECONDS = 20 * 60_000;

/**
 * Runs a program on this Node that prints its findings as lines of JSON. Throws its last output if it fails. Processes
 * that it started end with it.
 */
export async function readJsonLines<Line>(
  args: readonly string[],
  {
    env,
    onLine,
    signal,
  }: { env: Record<string, string>; onLine: (line: Line) => void; signal?: AbortSignal | undefined },
): Promise<void> {
  signal?.throwIfAborted();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const end = () => endGroup(child.pid);
  const silence = setTimeout(end, SILENCE_MILLISECONDS);
  signal?.addEventListener('abort', end);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('exit', resolve);
    });
    // The reader of the lines may throw first.
    ended.catch(() => {});
    for await (const line of createInterface({ input: child.stdout })) {
      silence.refresh();
      onLine(JSON.parse(line) as Line);
    }
    const code = await ended;
    signal?.throwIfAborted();
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}\n${errors}`);
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener('abort', end);
    end();
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // None of its processes is left.
  }
}
