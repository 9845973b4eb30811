import * as z from 'zod';

/** Only what may be tried: whether it is right is the server's one answer, so no rule of form is checked here. */
export const loginSchema = z.strictObject({
  email: z
    .string({ error: 'Please enter your email address.' })
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

/** Answer of sign-in and refresh alike. */
export const tokensSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  /** Seconds until the access token expires. */
  expiresIn: z.int(),
});

export type Login = z.infer<typeof loginSchema>;
export type Tokens = z.infer<typeof tokensSchema>;
