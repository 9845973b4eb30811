import { randomUUID } from 'node:crypto';

/** Of the mail that tells an office of a payer's credit on an invoice. */
export const creditNoteKey = ({ chargeId, invoiceId }: { chargeId: string; invoiceId: number }): string =>
  `credit-note:${chargeId}:${invoiceId}`;

/** Of one sending of an invitation. Each has its own key: an invitation may be sent again. */
export const invitationKey = (invitationId: string): string => `invitation:${invitationId}:${randomUUID()}`;

/** Of the mail that tells a payer of a refund. */
export const refundMadeKey = (refundId: string): string => `refund-made:${refundId}`;
