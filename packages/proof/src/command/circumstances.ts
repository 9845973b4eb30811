import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { root } from '../../../../tools/root.ts';

/** Which code a proof ran on, where and how; its figures mean nothing without that. */
export type Circumstances = {
  /** As typed. */
  command: string;
  /** `null` without git, or if the checkout isn't a git root. */
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

/** Read this before anything runs: files written during the proof aren't what was proved. */
export function readCommit(folder: string = root): Circumstances['commit'] {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    // Unpacked inside another project's checkout, git would report that project's commit.
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
