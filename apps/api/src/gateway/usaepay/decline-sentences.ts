/**
 * The provider's sentences that a payer may read. Any other text, which may name systems, keys or other people's
 * data, becomes `OTHER_DECLINE`.
 */
const SENTENCES = new Set([
  'Invalid Card Number',
  'Card Number was not between 13 and 16 digits',
  'Invalid Credit Card Number',
  'Invalid expiration date. Must be in MMYY format.',
  'Credit card has expired.',
  'Card not accepted by merchant, please try a different card',
  'Transaction Requires Voice Authentication. Please Call-In.',
  'Your billing information does not match your credit card.',
  'Your billing address does not match your credit card.',
  'Unable to verify card ID number.',
  'Card Declined',
  'Insufficient funds',
  'Pickup Card',
  'Do not Honor',
  'Invalid transaction',
  'Invalid card number',
  'No such issuer',
  'Unable to locate record',
  'Incorrect PIN',
  'Transaction not permitted',
  'Restricted Card',
  'Activity limit exceeded',
  'PIN tries exceeded',
  'No account',
  'Incorrect CVV',
  'Declined for CVV failure',
  'Invalid payment key',
]);

/** The provider's sentences about refunds, which only staff read. */
const REFUND_SENTENCES = new Set([
  'Refund not permitted. Original transaction not found.',
  'Refund not permitted. Amount exceeds the original transaction.',
  'Amount exceeds original transaction amount.',
  'Original transaction not an approved sale',
]);

/** The processor's code after the sentence, with and without a letter: `(F51)`, `(51)`, `(F)`, `(00)`. */
const CODE = / \((?:[A-Z]?\d{1,3}|[A-Z])\)$/;

const OTHER_DECLINE = 'The card was declined.';
const OTHER_REFUSAL = 'The provider refused the refund.';

/** The sentence that a payer reads about a decline. */
export function declineSentence(providerText: unknown): string {
  return readSentence(providerText, [SENTENCES]) ?? OTHER_DECLINE;
}

/** The sentence that staff read about a refused refund. */
export function refundSentence(providerText: unknown): string {
  return readSentence(providerText, [REFUND_SENTENCES, SENTENCES]) ?? OTHER_REFUSAL;
}

function readSentence(providerText: unknown, allowed: Set<string>[]): string | null {
  if (typeof providerText !== 'string') return null;
  if (!allowed.some((sentences) => sentences.has(providerText.replace(CODE, '')))) return null;
  return providerText.endsWith('.') ? providerText : `${providerText}.`;
}
