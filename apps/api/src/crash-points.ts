/**
 * The places where a killed process would hurt most, and what must be true after the next start. Numbers and states are
 * those of `docs/money-safety.md`. In the portal a point is an empty call; the proof kills its own process at one.
 */
export const CRASH_POINTS = {
  '01-before-claim': 'nothing stored, no claim; the same key pays once',
  '02-inside-claim': 'nothing stored, no claim; the same key pays once',
  '03-after-claim': 'abandoned, claim freed, provider empty; the payer can pay',
  '04-socket-open': 'abandoned, claim freed, provider empty; the payer can pay',
  '05-authorise-written': 'hold found by order id and released; captured 0; the payer can pay',
  '06-authorise-answered': 'hold found by order id and released; captured 0; the payer can pay',
  '07-inside-authorised': 'several accounts: all released',
  '08-after-authorised': 'several accounts: all released',
  '09-inside-accept': 'as 06; no ledger row, no mail',
  '10-after-accept': 'captured once, receipt once; same key replays success; another key hears it is paid',
  '11-half-answered': 'captured once, receipt once; same key replays success; another key hears it is paid',
  '12-before-capture': 'exactly one capture',
  '13-after-capture': 'exactly one capture',
  '14-capture-stored': 'exactly one capture',
  '15-before-mail': 'at least one mail, at most two, same Message-ID',
  '16-after-mail': 'at least one mail, at most two, same Message-ID',
  '17-some-authorised': 'several accounts, after k of n authorised: all k released',
  '18-declined-later': 'decline on k, before and between releases: all released',
  '19-some-captured': 'several accounts, after capture j of n: all captured once',
  '20-inside-look-up': 'repeated, same end state',
  '21-after-release': 'repeated, same end state',
  '22-inside-listing': 'repeated, same end state',
  '23-inside-comparison': 'starts again, no double action',
  '24-card-hold-made': 'no card and hold released',
  '25-card-stored': 'one card and the repeat gives the same',
  '26-card-hold-kept': 'hold released',
} as const;

export type CrashPoint = keyof typeof CRASH_POINTS;

export type CrashHook = (point: CrashPoint) => void;
