import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { root } from '../../../../tools/root.ts';

/** What a proof was run of, where and how: what its figures are worth depends on it. */
export type Circumstances = {
  /** What was typed. */
  command: string;
  /** `null` where there is no git, or the checkout is none of its. */
  commit: { hash: string; isClean: boolean } | null;
  cores: number;
  processes: number;
  node: string;
  begin: Date;
};

export function readCircumstances({
  command,
  processes,
}: Pick<Circumstances, 'command' | 'processes'>): Circumstances {
  return {
    command,
    commit: readCommit(),
    cores: availableParallelism(),
    processes,
    node: process.versions.node,
    begin: new Date(),
  };
}

/** Read before anything runs: what is written meanwhile is none of what was proved. */
export function readCommit(folder: string = root): Circumstances['commit'] {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    // Unpacked somewhere below another project's checkout, the commit would be that one's.
    if (git('rev-parse', '--show-prefix') !== '') return null;
    return { hash: git('rev-parse', 'HEAD'), isClean: git('status', '--porcelain') === '' };
  } catch {
    return null;
  }
}

export function describeCircumstances({
  command,
  commit,
  cores,
  processes,
  node,
  begin,
}: Circumstances): string {
  const state = commit?.isClean ? 'with nothing changed' : 'with changes that are in no commit';
  return [
    `Written by \`${command}\`.`,
    '',
    `- commit: ${commit ? `${commit.hash}, ${state}` : 'unknown, as there is no git here'}`,
    `- machine: ${cores} cores, Node ${node}, ${processes} processes at once`,
    `- begun: ${begin.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ].join('\n');
}
