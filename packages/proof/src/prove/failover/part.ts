import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { isRunning } from '../../../../../tools/machine/running-process.ts';

/** One program of a cluster, which can be killed and restarted. */
export type Part = {
  start(): void;
  /** Kills it and waits until it is gone. */
  kill(): Promise<void>;
  isRunning(): boolean;
};

export function definePart(options: {
  command: string[];
  env: Record<string, string>;
  logFile: string;
  account?: { uid: number; gid: number } | undefined;
}): Part {
  const { command, env, logFile, account } = options;
  const [program = '', ...args] = command;
  let child: ChildProcess | null = null;
  const isUp = () => child?.pid !== undefined && isRunning(child.pid);
  const endWithUs = () => child?.kill('SIGKILL');
  process.once('exit', endWithUs);
  return {
    start() {
      if (isUp()) return;
      const log = openSync(logFile, 'a');
      const { PATH = '', LANG = 'C.UTF-8' } = process.env;
      child = spawn(program, args, {
        ...account,
        cwd: '/',
        env: { PATH, LANG, ...env },
        stdio: ['ignore', log, log],
      });
      child.on('error', () => {});
      closeSync(log);
    },
    async kill() {
      if (!child || !isUp()) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    isRunning: isUp,
  };
}
