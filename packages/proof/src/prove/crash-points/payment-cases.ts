import type { CrashPointOf } from '../../../../../apps/api/src/crash-points.ts';
import { KINDS, type Kind } from '../provider-faults/payments.ts';

type Point = CrashPointOf<'payments'>;

/** A point that a payment passes in the process that answers it, or in the tasks that follow at once. */
export type PaymentCase = {
  point: Point;
  kinds: readonly Kind[];
  /** How often a payment over three accounts passes it; a payment on one account passes it once. */
  passes: number;
  /**
   * How the payment ends if the process dies there: `nothing` was stored, it is `abandoned`, `declined` in a commit that
   * nobody was told of, or `accepted`.
   */
  end: 'nothing' | 'abandoned' | 'declined' | 'accepted';
  /** The provider's answer to the hold that follows this many. */
  refused?: { after: number; fault: 'verify' | 'partial' };
  /** Whether the mail server refuses the first mail. */
  mailRefused?: boolean;
};

/** These points are passed once whatever the number of accounts, or once for each account. */
const once = { kinds: KINDS, passes: 1 };
const each = { kinds: KINDS, passes: 3 };
/** With several accounts, each approval is stored separately; a single one is stored as part of accepting. */
const several: Kind[] = ['three'];

export const PAYMENT_CASES: PaymentCase[] = [
  { point: '01-before-claim', ...once, end: 'nothing' },
  { point: '02-inside-claim', ...once, end: 'nothing' },
  { point: '03-after-claim', ...once, end: 'abandoned' },
  { point: '04-socket-open', ...each, end: 'abandoned' },
  { point: '05-authorize-written', ...each, end: 'abandoned' },
  { point: '06-authorize-answered', ...each, end: 'abandoned' },
  { point: '07-inside-authorised', kinds: several, passes: 3, end: 'abandoned' },
  { point: '08-after-authorised', kinds: several, passes: 3, end: 'abandoned' },
  { point: '09-inside-accept', ...once, end: 'abandoned' },
  { point: '10-after-accept', ...once, end: 'accepted' },
  { point: '11-half-answered', ...once, end: 'accepted' },
  { point: '12-before-capture', ...each, end: 'accepted' },
  { point: '13-after-capture', ...each, end: 'accepted' },
  { point: '14-capture-stored', ...each, end: 'accepted' },
  { point: '15-before-mail', ...once, end: 'accepted' },
  { point: '16-after-mail', ...once, end: 'accepted' },
  { point: '17-some-authorised', kinds: several, passes: 3, end: 'abandoned' },
  // With one account there is no hold before the decline.
  {
    point: '18-declined-later',
    kinds: several,
    passes: 1,
    end: 'abandoned',
    refused: { after: 2, fault: 'partial' },
  },
  { point: '19-some-captured', kinds: several, passes: 3, end: 'accepted' },
  { point: '36-inside-abandon', ...once, end: 'abandoned', refused: { after: 0, fault: 'verify' } },
  { point: '37-after-abandon', ...once, end: 'declined', refused: { after: 0, fault: 'verify' } },
  { point: '38-charge-leased', ...each, end: 'accepted' },
  { point: '41-inside-decision', ...each, end: 'accepted' },
  { point: '42-after-decision', ...each, end: 'accepted' },
  { point: '48-mail-marked', ...once, end: 'accepted' },
  { point: '49-mail-postponed', ...once, end: 'accepted', mailRefused: true },
];

/** A point of the recovery, and how the payment dies so that the recovery passes it. */
export type RecoveryCase = {
  point: Point;
  /** Whether the provider made the hold whose answer was lost. */
  isHeld: boolean;
};

export const RECOVERY_CASES: RecoveryCase[] = [
  { point: '20-inside-look-up', isHeld: true },
  { point: '21-after-release', isHeld: true },
  { point: '22-inside-listing', isHeld: true },
  { point: '39-look-up-leased', isHeld: true },
  { point: '40-before-release', isHeld: true },
  { point: '43-before-postponed', isHeld: false },
  { point: '44-after-postponed', isHeld: false },
];

/** Points of the nightly comparison after a payment, with or without a hold that was made late. */
export const COMPARISON_CASES: { point: Point; isLate: boolean }[] = [
  { point: '23-inside-comparison', isLate: false },
  { point: '47-before-compared', isLate: false },
  { point: '45-late-hold-leased', isLate: true },
  { point: '46-late-hold-released', isLate: true },
];

/** Where the second process dies, while it recovers what the first one left. */
export const SECOND_POINTS = [
  '20-inside-look-up',
  '21-after-release',
  '22-inside-listing',
  '23-inside-comparison',
  '36-inside-abandon',
  '37-after-abandon',
  '13-after-capture',
] as const;

export type SecondPoint = (typeof SECOND_POINTS)[number];

/**
 * Whether the recovery after a crash at the first point passes the second. It always reads and compares a listing. A
 * look-up needs a charge without a key, a release one with a hold, and abandoning an undecided payment. After the first
 * capture may have happened, the recovery need not pass a capture.
 */
export function isPassedAfter(
  second: SecondPoint,
  { point, end }: PaymentCase,
  { kind, pass }: { kind: Kind; pass: number },
): boolean {
  if (second === '22-inside-listing' || second === '23-inside-comparison') return true;
  if (second === '36-inside-abandon' || second === '37-after-abandon') return end === 'abandoned';
  if (second === '13-after-capture') return point === '10-after-accept' || point === '12-before-capture';
  if (end === 'nothing' || end === 'accepted') return false;
  const hasAnyHold = point !== '03-after-claim' && !(point === '04-socket-open' && pass === 1);
  if (second === '21-after-release') return hasAnyHold;
  const isStored = point === '08-after-authorised' || point === '17-some-authorised';
  if (kind === 'three' && point === '09-inside-accept') return false;
  return !(isStored && pass === 3);
}
