import * as z from 'zod';
import { email, newPassword, requiredText } from '../fields.ts';

/** Registration always makes a `user`. */
export const USER_TYPE = { admin: 1, user: 2, franchise: 3 } as const;

/** The token in a mail's link. */
export const mailToken = () =>
  z.string({ error: 'The link is not complete.' }).max(500, 'The link is not complete.');

export const registerSchema = z.strictObject({
  email: email(),
  firstName: requiredText('first name', 100),
  lastName: requiredText('last name', 100),
  password: newPassword(),
  /** Accepted and ignored: everybody who registers becomes a `user`. */
  userType: z.unknown().optional(),
});

export const emailSchema = z.strictObject({ email: email() });

export const confirmSchema = z.strictObject({ email: email(), token: mailToken() });

export const confirmResetPasswordSchema = z.strictObject({
  email: email(),
  passwordToken: mailToken(),
  password: newPassword(),
});

export const acceptInviteSchema = z.strictObject({
  email: email(),
  firstName: requiredText('first name', 100),
  lastName: requiredText('last name', 100),
  password: newPassword(),
  passwordToken: mailToken(),
});

export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
});

export type Register = z.infer<typeof registerSchema>;
export type AcceptInvite = z.infer<typeof acceptInviteSchema>;
export type User = z.infer<typeof userSchema>;
