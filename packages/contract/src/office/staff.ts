import * as z from 'zod';
import { email, franchiseId, requiredText } from '../fields.ts';
import { KEY_RIGHTS, ROLES } from '../office-rights.ts';

const role = () => z.enum(ROLES, { error: 'Please choose a role.' });
const franchiseIds = () =>
  z
    .array(franchiseId(), { error: 'Please choose franchises.' })
    .max(1000, 'Please choose at most 1,000 franchises.');

const STATES = ['invited', 'active', 'off'] as const;

export const addStaffSchema = z.strictObject({
  email: email(),
  role: role(),
  franchiseIds: franchiseIds().optional(),
});

export const staffAddedSchema = z.object({
  staffId: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  franchiseIds: z.array(z.int()),
  state: z.enum(STATES),
  /** Only for keys; people get the link by mail. */
  link: z.string().optional(),
});

export const staffListSchema = z.object({
  items: z.array(
    z.object({
      staffId: z.string(),
      email: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      role: z.enum(ROLES),
      /** The ones that the caller may see. */
      franchiseIds: z.array(z.int()),
      /** Of the role and the franchises. A change of them sends it as `If-Match: "<version>"`. */
      version: z.int(),
      state: z.enum(STATES),
      isHeld: z.boolean(),
      passkeys: z.int(),
      hasApp: z.boolean(),
      lastSignInAt: z.string().nullable(),
      mayChange: z.boolean(),
    }),
  ),
});

export const staffParamsSchema = z.object({ staffId: z.uuid('There is no such person.') });

export const changeStaffSchema = z.strictObject({
  role: role().optional(),
  franchiseIds: franchiseIds().optional(),
  active: z.boolean({ error: 'Say true or false.' }).optional(),
});

const WHOM = 'Say all, an email or the 8 characters after bpo_ in a key.';

/** After a restore: everybody, one person, or one key by the eight characters after `bpo_`. */
export const confirmStaffSchema = z.union(
  [
    z.strictObject({ all: z.literal(true) }),
    z.strictObject({ email: email() }),
    z.strictObject({ key: z.string(WHOM).regex(/^[A-Za-z0-9]{8}$/, WHOM) }),
  ],
  WHOM,
);
export const staffConfirmedSchema = z.object({ staff: z.int(), keys: z.int() });

export const apiKeysSchema = z.object({
  items: z.array(
    z.object({
      apiKeyId: z.string(),
      /** The first characters, which identify the key in the log and on the command line. */
      publicId: z.string(),
      name: z.string(),
      franchiseId: z.int().nullable(),
      rights: z.array(z.string()),
      createdAt: z.string(),
      lastUsedAt: z.string().nullable(),
      revokedAt: z.string().nullable(),
      isHeld: z.boolean(),
    }),
  ),
});
/** Keys of the deployment's settings go by these names. */
const SETTINGS_KEYS = ['environment', 'operator'];
const CHOOSE_RIGHTS = 'Please choose rights.';

export const addApiKeySchema = z.strictObject({
  name: requiredText('name', 60).refine(
    (name) => !SETTINGS_KEYS.includes(name.toLowerCase()),
    'A key of the settings has this name. Choose another one.',
  ),
  franchiseId: franchiseId().nullable(),
  rights: z
    .array(z.enum(KEY_RIGHTS, CHOOSE_RIGHTS), CHOOSE_RIGHTS)
    .min(1, 'Please choose at least one right.')
    .transform((rights) => [...new Set(rights)]),
});
export const apiKeyAddedSchema = z.object({ apiKeyId: z.string(), key: z.string() });
export const apiKeyParamsSchema = z.object({ apiKeyId: z.uuid('There is no such key.') });

export type StaffAdded = z.infer<typeof staffAddedSchema>;
export type StaffList = z.infer<typeof staffListSchema>;
export type ApiKeys = z.infer<typeof apiKeysSchema>;
