import type { CrashPointOf } from '../../../../../apps/api/src/crash-points.ts';

export type RefundPoint = CrashPointOf<'refunds'>;

/** All of a guest's unsettled payment, part of a customer's, and a request over three merchant accounts. */
export const KINDS = ['void', 'part', 'three'] as const;
export type Kind = (typeof KINDS)[number];

/** A point that the sweep passes, and the state of a refund whose process died there. */
export type RefundCase = {
  point: RefundPoint;
  kinds: readonly Kind[];
  /** `unsent`: the provider was never asked. `nothing`: it was about to be, and nothing arrived. */
  left: 'unsent' | 'nothing' | 'sent' | 'answered' | 'made' | 'refused';
  /** When the previous call failed, so that the sweep passes this point. */
  lost?: 'before' | 'after';
};

const all = KINDS;
const refunds = ['part', 'three'] as const;
const voids = ['void'] as const;

export const REFUND_CASES: RefundCase[] = [
  { point: 'R06-leased', kinds: all, left: 'unsent' },
  { point: 'R07-inside-listing', kinds: all, left: 'unsent' },
  { point: 'R08-looked', kinds: all, left: 'unsent' },
  { point: 'R09-inside-sending', kinds: all, left: 'unsent' },
  { point: 'R10-sending', kinds: all, left: 'nothing' },
  { point: 'R11-socket-open', kinds: refunds, left: 'nothing' },
  { point: 'R12-refund-written', kinds: refunds, left: 'sent' },
  { point: 'R13-refund-answered', kinds: refunds, left: 'sent' },
  { point: 'R14-answer-stored', kinds: refunds, left: 'answered' },
  { point: 'R15-confirmed', kinds: all, left: 'answered' },
  { point: 'R16-inside-made', kinds: all, left: 'answered' },
  { point: 'R17-made', kinds: all, left: 'made' },
  { point: 'R18-void-written', kinds: voids, left: 'sent' },
  { point: 'R19-void-answered', kinds: voids, left: 'answered' },
  { point: 'R20-void-refused', kinds: voids, left: 'refused' },
  { point: 'R21-inside-waiting', kinds: voids, left: 'refused' },
  { point: 'R22-unknown-leased', kinds: refunds, left: 'nothing', lost: 'before' },
  { point: 'R23-absence-noted', kinds: refunds, left: 'nothing', lost: 'before' },
  { point: 'R24-candidate-found', kinds: refunds, left: 'sent', lost: 'after' },
  { point: 'R25-inside-end', kinds: refunds, left: 'nothing', lost: 'before' },
  { point: 'R30-between-rows', kinds: ['three'], left: 'made' },
];

/** Where the recovering process dies. */
export const SECOND_POINTS = [
  'R07-inside-listing',
  'R12-refund-written',
  'R13-refund-answered',
  'R15-confirmed',
  'R16-inside-made',
  'R24-candidate-found',
] as const;
export type SecondPoint = (typeof SECOND_POINTS)[number];

const SENDING: readonly SecondPoint[] = [
  'R07-inside-listing',
  'R12-refund-written',
  'R13-refund-answered',
  'R15-confirmed',
  'R16-inside-made',
];
const CONFIRMING: readonly SecondPoint[] = ['R15-confirmed', 'R16-inside-made'];
const BY_WHAT_IS_LEFT: Record<RefundCase['left'], readonly SecondPoint[]> = {
  unsent: SENDING,
  nothing: ['R07-inside-listing'],
  sent: ['R07-inside-listing', 'R24-candidate-found', ...CONFIRMING],
  answered: CONFIRMING,
  made: [],
  refused: SENDING,
};
const OF_VOIDS: Partial<Record<RefundCase['left'], readonly SecondPoint[]>> = {
  unsent: ['R07-inside-listing', ...CONFIRMING],
  // A void is sent again.
  nothing: CONFIRMING,
  sent: CONFIRMING,
};

/** Whether recovering the row that died passes a point. */
export function comesTo(second: SecondPoint, { left }: RefundCase, kind: Kind): boolean {
  const points = (kind === 'void' && OF_VOIDS[left]) || BY_WHAT_IS_LEFT[left];
  return points.includes(second);
}

/** Whether the recovery passes a point. Of three rows, the others are still unsent unless their answers were lost. */
export function isPassedAfter(second: SecondPoint, each: RefundCase, kind: Kind): boolean {
  return comesTo(second, each, kind) || (kind === 'three' && !each.lost && SENDING.includes(second));
}

/** With three rows, the first, second or third one dies, if each passes the point. */
export const passesOf = ({ lost }: RefundCase, kind: Kind): number => (kind === 'three' && !lost ? 3 : 1);
