import * as z from 'zod';
import { email, newPassword, requiredText } from '../fields.ts';
import { listedPaymentSchema, paymentLineSchema } from '../invoices/payment-history.ts';
import { locationsSchema } from './locations.ts';
import { mailToken } from './users.ts';

const ENTER_CURRENT = 'Please enter your current password.';

/** Any text that may be tried; only the server knows whether it is right. */
const currentPassword = () =>
  z.string({ error: ENTER_CURRENT }).min(1, ENTER_CURRENT).max(1000, 'Please use at most 128 characters.');

export const accountSchema = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  createdAt: z.string(),
  /** The new address, until its owner confirms it. */
  pendingEmail: z.string().nullable(),
  /** Until then the last change of address can be undone, and no other can be requested. */
  undoUntil: z.string().nullable(),
  /** The previous address, which can undo the change. */
  previousEmail: z.string().nullable(),
});

export const updateAccountSchema = z.strictObject({
  firstName: requiredText('first name', 100),
  lastName: requiredText('last name', 100),
});

export const changeEmailSchema = z.strictObject({ email: email(), password: currentPassword() });

export const confirmEmailChangeSchema = z.strictObject({ email: email(), token: mailToken() });

export const undoEmailChangeSchema = z.strictObject({
  email: email(),
  token: mailToken(),
  password: newPassword(),
});

export const changePasswordSchema = z.strictObject({
  password: currentPassword(),
  newPassword: newPassword(),
});

/** The body of calls that only ask for the password again. */
export const passwordAgainSchema = z.strictObject({ password: currentPassword() });

export const sessionSchema = z.object({
  sessionId: z.string(),
  /** In words: "Chrome on Android". */
  device: z.string(),
  signedInAt: z.string(),
  lastUsedAt: z.string(),
  /** Whether this session is the caller's. */
  current: z.boolean(),
});

export const sessionsSchema = z.array(sessionSchema);

export const sessionIdParamsSchema = z.strictObject({
  sessionId: z.string().regex(/^[\w-]{1,100}$/, 'There is no such session.'),
});

export const endedSessionsSchema = z.object({ ended: z.int() });

const instant = () => z.string().nullable();

/** The account's data download. It leaves out links, since a link opens its document for anybody. */
export const accountDataSchema = z.strictObject({
  account: accountSchema,
  sessions: sessionsSchema,
  locations: locationsSchema,
  paymentMethods: z.array(
    z.strictObject({
      maskedCard: z.string(),
      brand: z.string(),
      /** A month, as `2027-04`. */
      expires: z.string().nullable(),
      addedAt: z.string(),
    }),
  ),
  payments: z.array(
    listedPaymentSchema
      .omit({ receiptLink: true, lines: true })
      .extend({ lines: z.array(paymentLineSchema.omit({ pdfLink: true }).strict()) })
      .strict(),
  ),
  emailChanges: z.array(
    z.strictObject({
      oldEmail: z.string(),
      newEmail: z.string(),
      askedAt: z.string(),
      confirmedAt: instant(),
      cancelledAt: instant(),
      undoneAt: instant(),
    }),
  ),
  /** Mails to the account's own addresses. Without `sentAt` a mail has not gone out. */
  mails: z.array(
    z.strictObject({ kind: z.string(), recipient: z.string(), queuedAt: z.string(), sentAt: instant() }),
  ),
});

export type AccountData = z.infer<typeof accountDataSchema>;
export type Account = z.infer<typeof accountSchema>;
export type UpdateAccount = z.infer<typeof updateAccountSchema>;
export type SessionShown = z.infer<typeof sessionSchema>;
export type EndedSessions = z.infer<typeof endedSessionsSchema>;
