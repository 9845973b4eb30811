import * as z from 'zod';
import { readTerms } from './modules/terms/read-terms.ts';
import { isDatabaseUrl, isPlainDatabase, isPlainMail, isThisMachine } from './plain-connections.ts';
import { readTrust } from './trusted-proxies.ts';

/** Digits only: nothing else may pass for a number, as JavaScript reads a blank as 0. */
const count = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, 'not a whole number in digits')
    .transform(Number)
    .pipe(z.number().min(min).max(max));
const port = count(0, 65_535);
/** Comma-separated, newest first; older ones stay valid during a rotation. */
const secrets = (what: string, minLength: number) =>
  z
    .string({ error: `${what} is missing` })
    // Not trimmed: a blank is part of a secret, and the secret would be another one.
    .refine((value) => !/\s,|,\s/.test(value), `${what} has a blank beside a comma`)
    .transform((value) => value.split(','))
    .refine(
      (values) => values.every((value) => value.length >= minLength),
      `${what} needs ${minLength} characters or more`,
    );
const OFFICE_URL = 'Set OFFICE_URL to an origin of its own, such as https://office.example.com.';
const NO_DATABASE_URL =
  'is not a URL such as postgres://user:password@host/database: in the password, write # as %23, / as %2F and ? as %3F';
const url = (what: string) =>
  z.url({ error: ({ input }) => `${what} is ${input === undefined ? 'missing' : 'not a URL'}` });

/** As the reporter reads it: a key, perhaps with the secret of old ones, a host, and a project's number at the end. */
const DSN = /^https?:\/\/\w+(?::\w*)?@(?:\[[:.%\w]+\]|[\w.-]+)(?::\d+)?\/(?:[^?#]+\/)?\d+$/;

const DEVELOPMENT_SECRETS = ['dev-api-secret', 'dev-office-key'];

/** All settings of the portal. `.env.example` explains each. */
const envSchema = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
    PORT: port.default(3000),
    HOST: z.string().default('0.0.0.0'),
    /** How long the process or a statement may wait before calls are rejected; 0: never reject. */
    MAX_LAG_MILLISECONDS: count(0).default(1_000),
    /** How long an ending instance keeps taking requests, so that the proxy notices. */
    DRAIN_SECONDS: count(0, 60).default(0),
    /** Where a monitor scrapes metrics; disabled without a port. */
    METRICS_PORT: port.optional(),
    METRICS_HOST: z.string().default('127.0.0.1'),
    /**
     * The portal's public origin, in the spelling of browsers: it names the deployment. Links in mails and documents are
     * built from it, never from a request.
     */
    PUBLIC_URL: url('PUBLIC_URL')
      .refine(isRoot, 'PUBLIC_URL needs a host of its own, such as https://pay.example.com')
      .transform((value) => new URL(value).origin),
    /** The console's own origin, out of reach of scripts in payers' pages. Default: PUBLIC_URL's. */
    OFFICE_URL: url('OFFICE_URL')
      .transform((value) => value.replace(/\/+$/, ''))
      .refine(isOrigin, OFFICE_URL)
      .optional(),
    DATABASE_URL: z
      .string({ error: 'DATABASE_URL is missing' })
      .min(1, 'DATABASE_URL is missing')
      .refine(isDatabaseUrl, `DATABASE_URL ${NO_DATABASE_URL}`),
    /** Connects as the database's owner, who may change the schema. Default: DATABASE_URL. */
    MIGRATION_DATABASE_URL: z
      .string()
      .refine(isDatabaseUrl, `MIGRATION_DATABASE_URL ${NO_DATABASE_URL}`)
      .optional(),
    /** A role that may read everything except secrets. */
    DATABASE_READER: z.string().min(1).optional(),
    /** Confirms that the network to the database is private; otherwise production refuses a URL without TLS. */
    ALLOW_PLAIN_DATABASE: z.stringbool('ALLOW_PLAIN_DATABASE is neither true nor false').default(false),
    DATABASE_POOL_SIZE: count(2, 100).default(10),
    USAEPAY_URL: url('USAEPAY_URL').transform((value) => value.replace(/\/+$/, '')),
    USAEPAY_API_KEY: z.string({ error: 'USAEPAY_API_KEY is missing' }).min(1),
    USAEPAY_PIN: z.string({ error: 'USAEPAY_PIN is missing' }),
    USAEPAY_PUBLIC_KEY: z.string({ error: 'USAEPAY_PUBLIC_KEY is missing' }).min(1),
    /** Where browsers load the provider's script from. Default: the host of USAEPAY_URL. */
    USAEPAY_PAYJS_URL: url('USAEPAY_PAYJS_URL').optional(),
    SMTP_URL: url('SMTP_URL'),
    /** Likewise for the mail server. */
    ALLOW_PLAIN_SMTP: z.stringbool('ALLOW_PLAIN_SMTP is neither true nor false').default(false),
    MAIL_FROM: z.string({ error: 'MAIL_FROM is missing' }).min(3),
    /** Checked here, as the reporter would print one that it can't read, and then report nothing. */
    SENTRY_DSN: z
      .string()
      .refine(
        (value) => DSN.test(value) && URL.canParse(value),
        'SENTRY_DSN is not of the form https://key@host/1',
      )
      .optional(),
    /** Sent to browsers: it identifies the client, but protects nothing by itself. Pages carry the first. */
    API_SECRET: secrets('API_SECRET', 8),
    /** Signatures by older secrets stay valid. */
    TOKEN_SECRET: secrets('TOKEN_SECRET', 32),
    /** Data encrypted with older keys stays readable. */
    DATA_KEY: secrets('DATA_KEY', 32),
    OFFICE_API_KEY: secrets('OFFICE_API_KEY', 8),
    /** The operator's key, in production the only key that can add staff. People add others in the console. */
    OPERATOR_KEY: secrets('OPERATOR_KEY', 24).default([]),
    /** Comma-separated origins of other sites whose pages may call the API; empty: only our own. */
    CORS_ORIGINS: z
      .string()
      .default('')
      .transform((value) => value.split(',').filter((origin) => origin !== ''))
      .refine(
        (origins) => origins.every(isOrigin),
        'CORS_ORIGINS needs origins such as https://shop.example.com',
      ),
    /** A number of proxy hops, or a comma-separated list of proxy addresses; empty trusts none. */
    TRUST_PROXY: z
      .string()
      .default('')
      .transform((value, context) => {
        const trust = readTrust(value);
        if (trust === null) context.addIssue('TRUST_PROXY is no number of hops and no list of addresses');
        return trust ?? z.NEVER;
      }),
    /** The terms that payers accept. Default: the built-in ones. */
    TERMS_FILE: z
      .string()
      .optional()
      .transform((file, context) => {
        const terms = readTerms(file);
        if (terms === null) context.addIssue('TERMS_FILE is no text that can be read');
        return terms ?? z.NEVER;
      }),
    /** Terms accepted for a location before this must be accepted again. */
    TERMS_ASK_AGAIN_SINCE: z.iso
      .datetime({ offset: true, error: 'TERMS_ASK_AGAIN_SINCE is no time such as 2026-12-01T00:00:00Z' })
      .optional(),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .transform(({ TERMS_FILE: terms, ...env }) => ({
    ...env,
    TERMS: terms,
    OFFICE_URL: env.OFFICE_URL ?? new URL(env.PUBLIC_URL).origin,
    TERMS_ASK_AGAIN_SINCE: env.TERMS_ASK_AGAIN_SINCE ?? null,
    USAEPAY_PAYJS_URL: env.USAEPAY_PAYJS_URL ?? new URL('/js/v2/pay.js', env.USAEPAY_URL).href,
  }));

/** Whether the value has the form of an `Origin` header: scheme, host and port only. */
function isOrigin(value: string): boolean {
  return /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

/** Whether a URL leads to the root of a host, however it is spelled. */
function isRoot(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, origin, href } = new URL(value);
  return /^https?:$/.test(protocol) && href.replace(/\/+$/, '') === origin;
}

export type Env = z.output<typeof envSchema>;

/** The names of all settings. */
export const SETTINGS = Object.keys(envSchema.in.shape);

/** Reads the settings, a blank one as missing. Throws one Error that lists every missing or weak one. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim() !== ''));
  const parsed = envSchema.safeParse(present);
  const faults = parsed.success
    ? weaknesses(parsed.data)
    : [...parsed.error.issues.map(faultOf), ...(isOfficeUrlMissing(present) ? [OFFICE_URL_FAULT] : [])];
  if (!parsed.success || faults.length > 0) {
    throw new Error(
      `The portal cannot start with these settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
  }
  return parsed.data;
}

function faultOf({ message, path: [name] }: { message: string; path: readonly PropertyKey[] }): string {
  return message.startsWith(String(name)) ? message : `${String(name)}: ${message}`;
}

const OFFICE_URL_FAULT = `OFFICE_URL: ${OFFICE_URL}`;

/** Checked here, to be reported together with all other missing settings. */
function isOfficeUrlMissing({
  NODE_ENV = 'production',
  OFFICE_URL: given,
}: Record<string, string | undefined>) {
  return NODE_ENV === 'production' && given === undefined;
}

/** Encrypted, or on this machine. */
function isSafeUrl(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || isThisMachine(hostname);
}

const PLAIN_DATABASE =
  'asks for no TLS: add ?sslmode=verify-full, or say ALLOW_PLAIN_DATABASE=true where the network is private';
const PLAIN_MAIL =
  'asks for no TLS: use smtps:// or ?requireTLS=true, or say ALLOW_PLAIN_SMTP=true where the network is private';

function weaknesses(env: Env): string[] {
  if (env.NODE_ENV !== 'production') return [];
  const development = (['API_SECRET', 'OFFICE_API_KEY'] as const)
    .filter((name) => env[name].some((value) => DEVELOPMENT_SECRETS.includes(value)))
    .map((name) => `${name} is the development value`);
  const isShared = env.OFFICE_URL === new URL(env.PUBLIC_URL).origin;
  const plain = (['PUBLIC_URL', 'OFFICE_URL', 'USAEPAY_URL'] as const)
    .filter((name) => !isSafeUrl(env[name]))
    .map((name) => `${name} is not https`);
  const databases = (['DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const)
    .filter((name) => !env.ALLOW_PLAIN_DATABASE && isPlainDatabase(env[name] ?? '/'))
    .map((name) => `${name} ${PLAIN_DATABASE}`);
  const isPlain = !env.ALLOW_PLAIN_SMTP && isPlainMail(env.SMTP_URL);
  const isGuessable = env.OFFICE_API_KEY.some((key) => key.length < 24);
  return [
    ...(isShared ? [OFFICE_URL_FAULT] : []),
    ...development,
    ...plain,
    ...databases,
    ...(isPlain ? [`SMTP_URL ${PLAIN_MAIL}`] : []),
    ...(isGuessable ? ['OFFICE_API_KEY needs 24 characters or more in production'] : []),
  ];
}
