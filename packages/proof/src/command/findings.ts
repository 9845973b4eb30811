import type { AttackRun } from '../prove/attack.ts';
import type { SeedRun } from '../simulation/run-simulations.ts';

/** What became of a planted bug: the seed or the attack that noticed it, and what that said, if one did. */
export type BugRun = {
  name: string;
  caughtBy: { what: string; wrong: string[] } | null;
  milliseconds: number;
};

/** Something that must not be, and the one command that shows it again. */
export type Failure = { what: string; wrong: string[]; command: string };

/** What a proof has found so far. */
export type Findings = {
  seeds: SeedRun[];
  bugs: BugRun[];
  attacks: AttackRun[];
  failures: Failure[];
};

export const proveCommand = (args: readonly string[]): string =>
  `npm run prove${args.length > 0 ? ' -- ' : ''}${args.map((arg) => (/[^\w,.-]/.test(arg) ? `'${arg.replaceAll("'", "'\\''")}'` : arg)).join(' ')}`;
