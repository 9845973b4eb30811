import * as z from 'zod';
import { loginSchema } from '../customers/authentication.ts';
import { email, identifier, newPassword, requiredText } from '../fields.ts';
import { RIGHTS, ROLES } from '../office-rights.ts';
import { LONGEST_FACTOR_NAME } from './factor-name.ts';

/** The second factors that people may use. */
export const SECOND_FACTORS = ['totp', 'passkey', 'recovery'] as const;

export const officeLoginSchema = loginSchema;

export const signInStartedSchema = z.object({
  /** `enrol`: the person has no second factor yet; a mail carries the link to set one up. */
  next: z.enum(['totp', 'passkey', 'enrol']),
  methods: z.array(z.enum(SECOND_FACTORS)),
});

const code = () =>
  z
    .string({ error: 'Please enter the six digits that your app shows.' })
    .trim()
    .regex(/^\d{6}$/, 'Please enter the six digits that your app shows.');

export const totpCodeSchema = z.strictObject({ code: code() });

export const recoveryCodeSchema = z.strictObject({
  code: z
    .string({ error: 'Please enter a recovery code.' })
    .min(1, 'Please enter a recovery code.')
    .max(100, 'Please enter a recovery code.'),
});

const NO_PASSKEY = 'This passkey cannot be read.';

/** A credential as the browser made it; the server verifies its signature. */
const credential = () =>
  z.looseObject(
    {
      id: z.string(NO_PASSKEY).max(2000, NO_PASSKEY),
      rawId: z.string(NO_PASSKEY).max(2000, NO_PASSKEY),
      type: z.literal('public-key', NO_PASSKEY),
      response: z.looseObject({}, NO_PASSKEY),
    },
    NO_PASSKEY,
  );

export const passkeySchema = z.strictObject({ credential: credential() });

/** The options for `navigator.credentials`, as the browser library takes them. */
export const passkeyOptionsSchema = z.looseObject({ challenge: z.string() });

export const resumeSchema = z.union(
  [z.strictObject({ code: code() }), z.strictObject({ credential: credential() })],
  { error: 'Please enter the six digits that your app shows.' },
);

export const noDetailsSchema = z.strictObject({});

export const officeResetSchema = z.strictObject({ email: email() });

const token = () => z.string({ error: 'This link is not complete.' }).max(500, 'This link is not complete.');

export const officeResetConfirmSchema = z.strictObject({
  email: email(),
  token: token(),
  password: newPassword(),
});

export const welcomeSchema = z.strictObject({
  email: email(),
  token: token(),
  firstName: requiredText('first name', 100),
  lastName: requiredText('last name', 100),
  password: newPassword(),
});

export const welcomeAnswerSchema = z.object({ next: z.literal('enrol') });

export const demoSessionSchema = z.strictObject({ token: token() });

export const meSchema = z.object({
  /** Calls send it as `X-Person`. */
  staffId: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: z.enum(ROLES),
  rights: z.array(z.enum(RIGHTS)),
  franchises: z.array(z.object({ franchiseId: z.int(), name: z.string(), timeZone: z.string() })),
  shortcuts: z.boolean(),
  recoveryCodesLeft: z.int(),
  endsAt: z.string(),
  isDemo: z.boolean(),
});

const WHAT_FOR = 'Say what this is for.';

/** What a second factor confirms: a call, its query and the hash of its body. */
const act = () =>
  z.strictObject(
    {
      method: z.enum(['GET', 'POST', 'PUT', 'DELETE'], WHAT_FOR),
      path: z.string(WHAT_FOR).startsWith('/api/office/', WHAT_FOR).max(2000, WHAT_FOR),
      body: z.string(WHAT_FOR).regex(/^([0-9a-f]{64})?$/, WHAT_FOR),
    },
    WHAT_FOR,
  );

export const stepUpTotpSchema = z.strictObject({ code: code(), act: act() });
export const stepUpActSchema = z.strictObject({ act: act() });
export const stepUpPasskeySchema = z.strictObject({ credential: credential(), act: act() });
export const stepUpAnswerSchema = z.object({ stepUp: z.string(), expiresAt: z.string() });

const factorName = () => requiredText('name', LONGEST_FACTOR_NAME);

export const newAppSchema = z.object({
  factorId: z.string(),
  secret: z.string(),
  uri: z.string(),
  /** An SVG path in a square of `size` units, to scan with an authenticator app. */
  qr: z.object({ size: z.int(), path: z.string() }),
});
export const confirmAppSchema = z.strictObject({
  factorId: z.uuid('This app is not known any more. Begin again.'),
  code: code(),
  name: factorName(),
});
export const newPasskeySchema = z.strictObject({ credential: credential(), name: factorName() });

/** The first factor signs the person in: the answer holds who they are and, once, the codes. A further one: its id. */
export const factorAddedSchema = z.object({
  factorId: z.string().optional(),
  recoveryCodes: z.array(z.string()).optional(),
  me: meSchema.optional(),
});

export const factorParamsSchema = z.object({ factorId: z.uuid('There is no such factor.') });
export const factorNameSchema = z.strictObject({ name: factorName() });
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });

export const accountSchema = z.object({
  factors: z.array(
    z.object({
      factorId: z.string(),
      kind: z.enum(['totp', 'passkey']),
      name: z.string(),
      createdAt: z.string(),
      lastUsedAt: z.string().nullable(),
    }),
  ),
  recoveryCodesLeft: z.int(),
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      device: z.string(),
      since: z.string(),
      lastSeenAt: z.string(),
      isThis: z.boolean(),
    }),
  ),
  shortcuts: z.boolean(),
});
export const accountSettingsSchema = z.strictObject({
  shortcuts: z.boolean({ error: 'Say true or false.' }),
});
export const accountPasswordSchema = z.strictObject({ password: newPassword() });
const NO_SESSION = 'There is no such session.';

/** A session's id, or `others`: every session but the caller's. */
export const sessionParamsSchema = z.object({
  sessionId: z.union([z.literal('others'), z.uuid(NO_SESSION)], { error: NO_SESSION }),
});

export type Me = z.infer<typeof meSchema>;
export type Act = z.infer<ReturnType<typeof act>>;
export type Account = z.infer<typeof accountSchema>;
export type SignInStarted = z.infer<typeof signInStartedSchema>;
export type NewApp = z.infer<typeof newAppSchema>;
export type FactorAdded = z.infer<typeof factorAddedSchema>;
export type StepUpAnswer = z.infer<typeof stepUpAnswerSchema>;
export const demoEmailSchema = z.strictObject({ email: email() });
/** Only forward, by at most a year. */
export const moveClockSchema = z.strictObject({
  seconds: z
    .int()
    .min(1)
    .max(366 * 86_400, 'The clock moves by 366 days at most.'),
});

export const movedClockSchema = z.object({ now: z.string() });

export const demoLinkSchema = z.object({ link: identifier('link', 2000) });
