import type { AttackRun } from '../prove/attack.ts';
import type { SeedRun } from '../simulation/run-simulations.ts';

/** A planted bug's outcome: the seed or attack that noticed it and what it said, if one did. */
export type BugRun = {
  name: string;
  caughtBy: { what: string; wrong: string[] } | null;
  milliseconds: number;
};

/** Something that must not happen, and the command that replays it. */
export type Failure = { what: string; wrong: string[]; command: string };

/** A proof's findings so far. */
export type Findings = {
  seeds: SeedRun[];
  bugs: BugRun[];
  attacks: AttackRun[];
  failures: Failure[];
};

export const proveCommand = (args: readonly string[]): string =>
  `npm run prove${args.length > 0 ? ' -- ' : ''}${args.map((arg) => (/[^\w,.-]/.test(arg) ? `'${arg.replaceAll("'", "'\\''")}'` : arg)).join(' ')}`;
