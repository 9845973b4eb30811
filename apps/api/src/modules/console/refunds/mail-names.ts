import type { MailKind } from '../../../mail/queue-mail.queries.ts';

/** Mails about a payment, as its timeline and a refund's name them. */
const NAMES: Partial<Record<MailKind, string>> = {
  'payment-receipt': 'Receipt',
  'capture-failed': 'Mail that it was not collected',
  'credit-note': 'Mail about the credit',
  'refund-made': 'Mail about the refund',
  'refund-undone': 'Mail that the refund was taken back',
  'refund-ended': 'Mail to the person who requested the refund',
  'refund-to-approve': 'Mail to people who may approve the refund',
};

export const sayQueued = (kind: MailKind): string => `${NAMES[kind] ?? 'Mail'} queued`;
