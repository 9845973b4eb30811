/** How the processor treats a card. Unlisted cards are approved. */
export interface CardOutcome {
  avs: string;
  /** The CVC result for the right code; any other code gives N. */
  cvc: string;
  /** The right code; without it every code is right. */
  rightCvc?: string;
  /** The error code of a decline. */
  decline?: number;
  partialPercent?: number;
  delaySeconds?: number;
  /** The bank wants a phone call. */
  voice?: true;
  fraud?: 'review' | 'reject';
  categoryCode?: string;
  /** Error codes of a refund that the bank declines or fails; the sale itself is approved. */
  refundDecline?: number;
  refundError?: number;
}

/** The error code of a decline that a fault forces. */
export const FORCED_DECLINE = 10127;

const APPROVED: CardOutcome = { avs: 'YYY', cvc: 'M' };

const AVS_CARDS: Record<string, [avs: string, rightCvc: string]> = {
  '4000100011112224': ['YYY', '123'],
  '4000100111112223': ['YYX', '321'],
  '4000100211112222': ['NYZ', '123'],
  '4000100311112221': ['NYW', '123'],
  '4000100411112220': ['YNA', '123'],
  '4000100511112229': ['NNN', '123'],
  '4000100611112228': ['XXW', '123'],
  '4000100711112227': ['XXU', '123'],
  '4000100811112226': ['XXR', '123'],
  '4000100911112225': ['XXS', '123'],
  '4000101011112222': ['XXE', '123'],
  '4000101111112221': ['XXG', '123'],
  '4000101211112220': ['YYG', '123'],
  '4000101311112229': ['GGG', '123'],
  '4000101411112228': ['YGG', '123'],
  '4000101511112227': ['NN', '123'],
  '4000101611112226': ['N/A', '999'],
};

const CVC_CARDS: Record<string, string> = {
  '4000200011112222': 'M',
  '4000200111112221': 'N',
  '4000200211112220': 'P',
  '4000200311112229': 'S',
  '4000200411112228': 'U',
  '4000200511112227': 'X',
  '5555444433332226': 'M',
  '5555444433332234': 'N',
  '5555444433332242': 'P',
  '5555444433332259': 'S',
  '5555444433332267': 'U',
  '5555444433332275': 'X',
  '6011222233332224': 'M',
  '6011222233332232': 'N',
  '6011222233332240': 'P',
  '6011222233332257': 'S',
  '6011222233332265': 'U',
  '6011222233332273': 'X',
  '371122223332225': 'M',
  '371122223332233': '',
};

const DECLINED_CARDS: Record<string, number> = {
  '4000300011112220': 10127,
  '4000300001112222': 10204,
  '4000300211112228': 10205,
  '4000300311112227': 10212,
  '4000300411112226': 10215,
  '4000300511112225': 10225,
  '4000300611112224': 10251,
  '4000300711112223': 10255,
  '4000300811112222': 10257,
  '4000300911112221': 10262,
  '4000301011112228': 10265,
  '4000301111112227': 10275,
  '4000301211112226': 10278,
  '4000301311112225': 10297,
  '371122223332241': 10282,
};

const SPECIAL_CARDS: Record<string, Partial<CardOutcome>> = {
  '4000300111112229': { voice: true },
  '4000301411112224': { fraud: 'review' },
  '4000301511112223': { fraud: 'reject' },
  '4000400011112228': { refundDecline: 10257 },
  '4000400111112227': { refundError: 10128 },
  '4000000011112275': { partialPercent: 50 },
  '4000000011112283': { partialPercent: 75 },
  '4000000011112226': { delaySeconds: 5 },
  '4000000011112234': { delaySeconds: 15 },
  '4000000011112242': { delaySeconds: 30 },
  '4000000011112259': { delaySeconds: 45 },
  '4000000011112267': { delaySeconds: 60 },
};

/**
 * The test cards of the provider's sandbox, and two of our own (4000 40…) whose refunds fail. Outcomes depend on the
 * number, never on the amount.
 */
export function outcomeOf(number: string): CardOutcome {
  const avsCard = AVS_CARDS[number];
  if (avsCard) return { ...APPROVED, avs: avsCard[0], rightCvc: avsCard[1] };
  const cvc = CVC_CARDS[number];
  if (cvc !== undefined) return { ...APPROVED, cvc };
  const decline = DECLINED_CARDS[number];
  if (decline !== undefined) return { ...APPROVED, decline, ...(decline === 10297 ? { cvc: 'N' } : {}) };
  const special = SPECIAL_CARDS[number];
  if (special) return { ...APPROVED, ...special };
  if (number.startsWith('400060')) return { ...APPROVED, categoryCode: 'B' };
  if (number.startsWith('400070')) return { ...APPROVED, categoryCode: 'C' };
  return APPROVED;
}

/** P (not processed) if no code was sent. */
export function cvcResultOf(number: string, cvc: string): string {
  if (cvc === '') return 'P';
  const { cvc: result, rightCvc } = outcomeOf(number);
  return rightCvc !== undefined && cvc !== rightCvc ? 'N' : result;
}
