import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import type { StepResult } from './run-step.ts';

/** A retired name, where it is still allowed, and what to say instead. */
export type RetiredName = {
  retired: RegExp;
  use: string;
  /** Lines that match use the word in another sense. */
  unless?: RegExp;
  /** Folders and files where the word is allowed. */
  except?: readonly string[];
  /** If set, the word is only retired here. */
  only?: readonly string[];
};

/** History keeps its words, and these files list the retired names. */
export const NEVER_READ: readonly string[] = [
  'apps/api/src/db/migrations/',
  'apps/api/test/releases/',
  'docs/records/money-safety-figures.md',
  'docs/records/refund-',
  'docs/decisions/0036-one-name-for-each-idea.md',
  'docs/glossary.md',
  'tools/checks/retired-names',
  'package-lock.json',
];

/** The emulator, and the code that reads the provider, use the provider's words. */
const PROVIDER = ['packages/gateway-emulator/', 'apps/api/src/gateway/'];
const TESTS = ['apps/api/test/', 'packages/proof/', 'e2e/', 'tools/scan/', '.test.ts'];
/** A refund works on the provider's sale, and is a void or a refund depending on whether that has settled. */
const REFUNDS = [
  'payments/refunds/',
  'console/refunds/',
  'prove/refund-',
  'simulation/bugs/planted-refund-bugs.ts',
  'simulation/office/',
];

export const RETIRED_NAMES: readonly RetiredName[] = [
  {
    retired: /settle-?(charges|account|lag)|settleLag|settle_lag/i,
    use: 'sweep-charges',
    except: ['apps/api/src/metrics/'],
  },
  { retired: /settle-?decision/i, use: 'decide-until-known' },
  { retired: /settle-?found|found settle/i, use: 'acknowledge-found-payment' },
  {
    retired: /settl(e|es|ed|ing)\b/i,
    use: 'another word: only the provider settles, when it pays out',
    unless:
      /allSettled|settled_at|'settled'|\/settle\b|settle-charges|DECISIONS|`settle`|batch|Closes the day|refund|void/i,
    except: [
      ...PROVIDER,
      ...REFUNDS,
      'packages/proof/src/prove/provider-faults/',
      'sweep/sweep-charges.test.ts',
      'db/claims-migration.test.ts',
    ],
  },
  { retired: /baskets?(?![a-z])/i, use: 'payment' },
  {
    retired: /\bfamil(y|ies)\b/i,
    use: 'session',
    unless: /font-family|family-name|ipv6|addSubnet|addAddress/,
  },
  { retired: /PortalPayment(Result)?\b|chosen-?(of|card)\b/i, use: 'draft, or what is selected in it' },
  {
    retired: /\bbench\b|Bench\b/,
    use: 'rig',
    only: ['packages/proof/src/'],
  },
  {
    retired: /\bchosen\b/i,
    use: 'selected',
    only: ['web/app/features/payments/', 'web/app/features/payment-methods/'],
  },
  {
    retired: /\bsales?\b/i,
    use: 'payment',
    unless: /sales tax|command: 'sale'|guestsale|sqlmap|refund|void/i,
    except: [...PROVIDER, ...REFUNDS, ...TESTS],
  },
  {
    retired: /\b(an|the|this|that|each|every|whose|undecided|accepted) intents?\b/i,
    use: 'payment',
    except: ['apps/web/', 'apps/office/', 'packages/ui/'],
  },
  { retired: /database['’]s clock/i, use: 'engine’s clock', except: ['docs/decisions/'] },
  {
    retired: /\bopenSession\b|\bdb\/session\b/,
    use: 'own connection: a session is a sign-in',
    only: ['apps/api/src/'],
  },
  {
    retired: /\bplan-?Review\b|\bReview(Decision|Refusal)\b/i,
    use: 'held refund: a review is of charges',
    only: ['payments/refunds/', 'console/refunds/', 'simulation/office/'],
  },
  {
    retired: /followEngineClock|move-clocks/,
    use: 'moveProviderClock: the process follows the engine’s',
    only: ['packages/proof/src/'],
  },
];

/** The lines of a file that contain a retired name. */
export function findRetiredNames(file: string, text: string): string[] {
  if (NEVER_READ.some((start) => file.startsWith(start))) return [];
  const isIn = (parts: readonly string[]) => parts.some((part) => file.includes(part));
  const names = RETIRED_NAMES.filter(({ except = [], only }) => !isIn(except) && (!only || isIn(only)));
  return text
    .split('\n')
    .flatMap((line, index) =>
      names
        .filter(({ retired, unless }) => retired.test(line) && !unless?.test(line))
        .map(({ use }) => `${file}:${index + 1} say ${use}: ${line.trim()}`),
    );
}

/** Checks every text file in git. */
export function checkNames(): StepResult {
  const files = execFileSync('git', ['grep', '-lI', '-e', ''], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  const found = files.flatMap((file) => findRetiredNames(file, readFileSync(join(root, file), 'utf8')));
  return { passed: found.length === 0 ? 1 : 0, failed: found.length, output: found.join('\n') };
}
