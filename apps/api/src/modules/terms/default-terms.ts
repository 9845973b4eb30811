/**
 * Shown by a deployment without a `TERMS_FILE`. Meant to be replaced by terms that the operator's lawyer has reviewed.
 */
export const DEFAULT_TERMS = `These are the terms on which you pay an invoice through this portal. "We" is the company whose name is on the invoice.

## What you pay
- You pay the total that the Pay button shows: the invoice, its sales tax, and whatever additional services or tip you add.
- No invoice is charged twice. The total goes to us, or to the company that takes card payments for us.
- A payment can be undone only by the office that sent you the invoice.

## The work
- Where the invoice is for completed work, you confirm by paying that the work was done.
- Where the work is still to come, you pay in advance. If it is not done, the office that sent you the invoice pays you back.
- If something is wrong with the work, tell the office, and name the work order number. Paying does not take away any right that the law gives you.

## Additional services
- You may add an amount for services that are not on the invoice, or take an amount off it, with a note that says what for.
- The office may ask you for an amount that was taken off without a reason.

## Your card
- Your card number goes straight to the card processor. We never see it and never keep it.
- With an account you may save a card. The card processor keeps it for you until you delete it under Payment Methods.

## Your data
- We use what you type to take the payment, to send you a receipt if you want one, and to keep the books that the law asks for.

## Questions
Ask the office that sent you the invoice, and name the work order number.
`;
