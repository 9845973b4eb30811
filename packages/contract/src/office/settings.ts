import * as z from 'zod';
import { secretKey } from '../fields.ts';
import { franchiseAnswerSchema } from '../office.ts';

/** A franchise's settings page. Keys are never read back. */
export const franchiseSettingsPageSchema = franchiseAnswerSchema.omit({ gateway: true }).extend({
  /** The account of the next charge. */
  merchantAccount: z.object({
    merchantAccountId: z.int(),
    kind: z.enum(['own', 'portal']),
    publicKey: z.string(),
    since: z.string(),
  }),
  /** A write sends it as `If-Match: "<version>"`. */
  version: z.int(),
});

export const testedKeysSchema = z.strictObject({
  apiKey: secretKey('API key', 200),
  pin: secretKey('PIN', 200),
  publicKey: secretKey('public key', 200),
});

export const keysTestSchema = z.object({ works: z.boolean(), words: z.string() });

export type FranchiseSettingsPage = z.infer<typeof franchiseSettingsPageSchema>;
export type KeysTest = z.infer<typeof keysTestSchema>;
