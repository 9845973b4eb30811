/** Troubles beside the payments and refunds. Leave one out to see whether a seed still fails without it. */
export const TROUBLES = [
  'crashes',
  'cuts',
  'pauses',
  'lost-commits',
  'refused-statements',
  'bad-calls',
  'skews',
  'folding',
  'sweeps',
  'clock',
  'night',
  'raises',
  'voids',
  'captures',
  'strays',
  'batches',
  'reviews',
  'comparisons',
  'refunds',
  'approvals',
  'withdrawals',
  'send-agains',
  'refund-reviews',
  'hand-refunds',
  'hand-voids',
  'unvoids',
  'disputes',
  'lowers',
  'pays-again',
  'restores',
] as const;

export type TroubleName = (typeof TROUBLES)[number];

/** How much of its world a seed may use; tighten it to make a failing seed easier to read. */
export type Bounds = {
  payers: number;
  invoices: number;
  instances: number;
  without: readonly TroubleName[];
};

export const WIDEST: Bounds = { payers: 6, invoices: 8, instances: 3, without: [] };

/** The command line's options for bounds. */
export const BOUND_OPTIONS = {
  payers: { type: 'string', default: String(WIDEST.payers) },
  invoices: { type: 'string', default: String(WIDEST.invoices) },
  instances: { type: 'string', default: String(WIDEST.instances) },
  /** Names of troubles, separated by commas. */
  without: { type: 'string', default: '' },
} as const;

export function readBounds(values: Record<'payers' | 'invoices' | 'instances' | 'without', string>): Bounds {
  const named = values.without.split(',').filter((name) => name !== '');
  const unknown = named.filter((name) => !TROUBLES.some((known) => known === name));
  if (unknown.length > 0)
    throw new Error(`no such trouble: ${unknown.join(', ')}; there are ${TROUBLES.join(', ')}`);
  return {
    payers: readCount(values, 'payers'),
    invoices: readCount(values, 'invoices'),
    instances: readCount(values, 'instances'),
    without: TROUBLES.filter((name) => named.includes(name)),
  };
}

function readCount<Name extends string>(values: Record<Name, string>, name: Name): number {
  const count = Number(values[name]);
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`--${name} must be a whole number from 1, not "${values[name]}"`);
  return count;
}

/** Bounds as arguments; the widest ones are left out. */
export function boundArguments({ without, ...counts }: Bounds): string[] {
  const names = ['payers', 'invoices', 'instances'] as const;
  return [
    ...names.flatMap((name) => (counts[name] === WIDEST[name] ? [] : [`--${name}`, String(counts[name])])),
    ...(without.length > 0 ? ['--without', without.join(',')] : []),
  ];
}
