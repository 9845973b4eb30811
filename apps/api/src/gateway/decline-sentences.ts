/**
 * The provider's words that a payer may read. Anything else it writes, which may name systems, keys or somebody else's
 * data, becomes `OTHER_DECLINE`.
 */
const SENTENCES = new Set([
  'Invalid Card Number (1)',
  'Invalid Card Number (3)',
  'Card Number was not between 13 and 16 digits',
  'Invalid Credit Card Number (1)',
  'Invalid expiration date. Must be in MMYY format. (1)',
  'Invalid expiration date. Must be in MMYY format. (2)',
  'Invalid expiration date. Must be in MMYY format. (3)',
  'Credit card has expired.',
  'Card not accepted by merchant, please try a different card',
  'Transaction Requires Voice Authentication. Please Call-In.',
  'Your billing information does not match your credit card.',
  'Your billing address does not match your credit card.',
  'Unable to verify card ID number.',
  'Card Declined (F)',
  'Insufficient funds',
  'Pickup Card (F04)',
  'Do not Honor (F05)',
  'Invalid transaction (F12)',
  'Invalid card number (F14)',
  'No such issuer (F15)',
  'Unable to locate record (F25)',
  'Insufficient funds (F51)',
  'Incorrect PIN (F55)',
  'Transaction not permitted (F57)',
  'Restricted Card (F62)',
  'Activity limit exceeded (F65)',
  'PIN tries exceeded (F75)',
  'No account (F78)',
  'Incorrect CVV (F82)',
  'Declined for CVV failure (F97)',
  'Invalid payment key',
]);

const OTHER_DECLINE = 'The card was declined.';

/** What a payer is told of a decline; a full sentence. */
export function declineSentence(providerText: unknown): string {
  if (typeof providerText !== 'string' || !SENTENCES.has(providerText)) return OTHER_DECLINE;
  return providerText.endsWith('.') ? providerText : `${providerText}.`;
}
