/**
 * The places where a killed process would hurt most, and what must be true after the next start. Where they are, the
 * proof knows (`test/crash-seams.ts`): around statements, commits and calls to the provider. Three are calls in the code.
 */
export const CRASH_POINTS = {
  payments: {
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
    '36-inside-abandon': 'not abandoned; the deadline ends it',
    '37-after-abandon': 'abandoned once; the key hears "not charged", and another pays',
    '38-charge-leased': 'the next lease does it',
    '39-look-up-leased': 'the next lease does it',
    '40-before-release': 'released',
    '41-inside-decision': 'decided again, same end state',
    '42-after-decision': 'same end state',
    '43-before-postponed': 'the lease ends by itself, same end state',
    '44-after-postponed': 'found without its wake-up, same end state',
    '45-late-hold-leased': 'released by the next comparison',
    '46-late-hold-released': 'released once',
    '47-before-compared': 'starts again, no double action',
    '48-mail-marked': 'one mail',
    '49-mail-postponed': 'found without its wake-up, one mail',
  },
  cards: {
    '24-card-hold-made': 'no card and hold released',
    '25-card-stored': 'one card and the repeat gives the same',
    '26-card-hold-kept': 'hold released',
    '27-card-deleted': 'unusable at once',
    '28-saved-card-charged': 'deleted meanwhile: that charge ends by its own rules; later ones are refused',
    '50-card-begun': 'no card, provider empty; it can be added',
    '51-card-token-made': 'no card and hold released',
    '52-inside-card-stored': 'no card and hold released',
  },
  people: {
    '29-user-stored': 'the mail is sent; signing up again begins anew',
    '30-token-half-spent': 'neither spent nor done; the same link works',
    '31-refreshed': 'asked again within the grace, the same successor',
    '32-linked': 'the repeat succeeds, one row',
    '35-signed-out': 'the tokens are dead; the repeat succeeds',
    '53-inside-sign-up': 'no user, no mail; signing up works',
    '54-token-spent': 'spent and done; the same link is refused',
    '55-inside-link': 'nothing linked, no mail; the repeat succeeds',
    '56-inside-mail-request': 'asked for and not answered yet; one mail',
    '57-inside-invite': 'no invitation, no mail; the repeat succeeds',
    '58-invited': 'the mail is sent; the repeat renews the same invitation',
  },
  account: {
    '63-inside-email-change': 'the address before; the link still works',
    '64-email-changed': 'moved once, the mail is sent; the repeat hears that the link is spent',
    '65-inside-undo': 'the new address; the link still works',
    '66-password-changed': 'the new password, the other sessions ended; the old one is wrong',
    '67-inside-close': 'the account is as it was; closing works',
    '68-closed': 'closed once, the mails are sent; the repeat hears that nobody is signed in',
    '69-inside-offer': 'nothing; the offer works',
    '70-offer-used': 'done once, the mail is sent; the repeat succeeds',
  },
  office: {
    '33-inside-import': 'nothing; the repeat creates all',
    '33-after-import': 'all; the repeat says unchanged',
    '59-review-leased': 'nothing is decided; the repeat decides',
    '60-review-planned': 'nothing is decided; the repeat decides',
    '61-review-decided': 'decided once, with its audit entry; never captured',
    '62-after-review': 'decided once, with its audit entry; never captured',
  },
  staff: {
    '80-inside-welcome': 'no name, no password, no session; the same link works',
    '81-welcomed': 'the password stands, and the link is not spent: opened again, it goes on',
    '82-app-begun': 'no factor; opened again, the link begins another',
    '83-inside-enrolment': 'no factor, no codes, the link not spent; the next code ends the enrolment',
    '84-enrolled': 'the factor stands, the link is spent; password and app let in',
    '85-code-counted': 'counted and not judged; the same code is still good',
    '86-inside-step-up': 'the code is not used, and confirms when it is shown again',
    '87-stepped-up': 'the code is used, and what it gave is lost; the next one works',
    '88-inside-confirmed-act': 'nothing is done; what confirmed it is still good',
    '89-act-confirmed': 'done once, with its audit row; the repeat hears so, and what confirmed it is spent',
    '90-inside-revoking': 'the key works; revoking it does too',
    '91-key-revoked': 'the key is refused at once; the repeat finds none',
    '92-inside-new-keys': 'the merchant keys before; setting them works',
    '93-keys-replaced': 'the new merchant keys, once; the repeat changes nothing',
  },
  start: {
    '34-inside-migration': 'completed once by whoever starts next, or waits already',
  },
} as const;

export type CrashArea = keyof typeof CRASH_POINTS;

export type CrashPointOf<Area extends CrashArea> = Area extends CrashArea
  ? keyof (typeof CRASH_POINTS)[Area]
  : never;

export type CrashPoint = CrashPointOf<CrashArea>;

export type CrashHook = (point: CrashPoint) => void;
