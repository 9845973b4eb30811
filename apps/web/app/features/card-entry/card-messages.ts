import type { CardError } from './provider-messages.ts';

const NUMBER_MISSING = 'Enter the card number.';
const NUMBER_WRONG = 'Check the card number: a digit is wrong or missing.';
const EXPIRATION_MISSING = 'Enter the expiration date.';
const EXPIRED = 'This card has expired. Check the date, or use another card.';
const CVV_MISSING = 'Enter the CVV, the security code on the card.';
const CVV_WRONG = 'Check the CVV: it has three digits, or four on American Express.';
const CARD_WRONG = 'Check the card number, the expiration date and the CVV.';

/** The fallback for a card error that we can't name more precisely. */
export const UNREADABLE_CARD = 'The card could not be read. Check its details, or use another card.';

/** The provider's own error texts in lower case, with its misspellings. */
const SENTENCES = new Map(
  Object.entries({
    'card number is required': NUMBER_MISSING,
    'invalid card number': NUMBER_WRONG,
    'card type is not accepted': 'This type of card is not accepted. Use another card.',
    'expiration date is required': EXPIRATION_MISSING,
    'expiration is required': EXPIRATION_MISSING,
    'invalid expiration': 'Check the expiration date: month, then year.',
    'card is expired': EXPIRED,
    'card has expired': EXPIRED,
    'cvv is required': CVV_MISSING,
    'invalid cvv': CVV_WRONG,
    'invalid card informtion': CARD_WRONG,
    'invalid card information': CARD_WRONG,
  }),
);

/** Of this attempt alone: the answer to one before may have been lost. */
const UNREACHABLE =
  'The card processor could not be reached, so this attempt charged nothing. Try again in a moment.';

/** A frame that can't reach its API says so in the browser's words or in its own. */
const IS_ABOUT_THE_NETWORK = /\b(unable to reach|failed to fetch|network|time(d )?-?out|unavailable)\b/;

/** The frame uses this text for two fields. */
function wrongLength(field: string): string {
  if (field === 'cvv') return CVV_WRONG;
  if (field === 'number') return NUMBER_WRONG;
  return 'Check the card number and the CVV: one is too short or too long.';
}

/** Our sentence for the frame's message. An empty message stays empty: it clears an error. */
export function cardSentence({ field, message }: CardError): string {
  const words = message.trim().toLowerCase();
  if (words === '') return '';
  if (words === 'invalid length') return wrongLength(field);
  const isAboutTheNetwork = IS_ABOUT_THE_NETWORK.test(words);
  return SENTENCES.get(words) ?? (isAboutTheNetwork ? UNREACHABLE : UNREADABLE_CARD);
}
