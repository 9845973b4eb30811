import * as z from 'zod';
import { emailText } from '../fields.ts';

/** Checks no format: a wrong email address and a wrong password get the same answer from the server. */
export const loginSchema = z.strictObject({
  email: emailText('Please enter your email address.')
    .min(1, 'Please enter your email address.')
    .max(320, 'Please enter a valid email address.')
    .refine((value) => !value.includes('\u0000'), 'Please enter a valid email address.'),
  password: z
    .string({ error: 'Please enter your password.' })
    .min(1, 'Please enter your password.')
    .max(1000, 'Please use at most 128 characters.'),
});

export const refreshSchema = z.strictObject({
  refreshToken: z
    .string({ error: 'A refresh token is needed.' })
    .min(1, 'A refresh token is needed.')
    .max(500, 'A refresh token is needed.'),
});

/** The answer of sign-in and of refresh. */
export const tokensSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  /** Seconds until the access token expires. */
  expiresIn: z.int(),
});

export type Login = z.infer<typeof loginSchema>;
export type Tokens = z.infer<typeof tokensSchema>;
