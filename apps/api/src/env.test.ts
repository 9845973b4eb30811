import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readEnv, SETTINGS } from './env.ts';

const complete = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://pay.example.com/',
  OFFICE_URL: 'https://office.example.com/',
  DATABASE_URL: 'postgres://db/portal?sslmode=verify-full',
  USAEPAY_URL: 'https://usaepay.com/api/v2/',
  USAEPAY_API_KEY: 'key',
  USAEPAY_PIN: '1234',
  USAEPAY_PUBLIC_KEY: '_public',
  SMTP_URL: 'smtps://mail.example.com',
  MAIL_FROM: 'pay@example.com',
  API_SECRET: 'a client id of this portal',
  TOKEN_SECRET: 'a token secret of more than 32 characters',
  DATA_KEY: 'a data key of more than thirty-two characters',
  OFFICE_API_KEY: 'an office key that nobody guesses',
};

test('reads complete settings, with defaults for the rest', () => {
  expect(readEnv(complete)).toMatchObject({
    PORT: 3000,
    PUBLIC_URL: 'https://pay.example.com',
    OFFICE_URL: 'https://office.example.com',
    OPERATOR_KEY: [],
    USAEPAY_URL: 'https://usaepay.com/api/v2',
    USAEPAY_PAYJS_URL: 'https://usaepay.com/js/v2/pay.js',
    DATA_KEY: [complete.DATA_KEY],
    LOG_LEVEL: 'info',
  });
});

test.each(['README.md', '.env.example'])('%s explains every setting', (file) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const explained = new Set(text.match(/\b[A-Z]+(_[A-Z]+)*\b/g));
  expect(SETTINGS.filter((name) => !explained.has(name))).toEqual([]);
});

test.each([
  'https://pay.example.com',
  'https://pay.example.com/',
  'https://Pay.Example.com',
  'https://pay.example.com:443',
  'https://pay.example.com//',
])('reads the PUBLIC_URL %s as browsers write it', (value) => {
  expect(readEnv({ ...complete, PUBLIC_URL: value }).PUBLIC_URL).toBe('https://pay.example.com');
});

test('every missing setting is named at once', () => {
  const start = () => readEnv({ NODE_ENV: 'production' });
  for (const name of Object.keys(complete).filter((setting) => !/^(NODE_ENV|OFFICE_URL)$/.test(setting))) {
    expect(start).toThrow(`- ${name} is missing\n`);
  }
  expect(start).toThrow('- OFFICE_URL: Set OFFICE_URL to an origin of its own');
});

test.each([
  ['API_SECRET', 'dev-api-secret', 'API_SECRET is the development value'],
  ['OFFICE_API_KEY', 'dev-office-key', 'OFFICE_API_KEY is the development value'],
  ['TOKEN_SECRET', 'short', 'TOKEN_SECRET needs 32 characters or more'],
  ['DATA_KEY', `${'k'.repeat(40)},short`, 'DATA_KEY needs 32 characters or more'],
  ['API_SECRET', `an api secret,short`, 'API_SECRET needs 8 characters or more'],
  ['API_SECRET', 'an api secret, the old one', 'API_SECRET has a blank beside a comma'],
  ['OPERATOR_KEY', `${'k'.repeat(40)} ,${'o'.repeat(40)}`, 'OPERATOR_KEY has a blank beside a comma'],
  ['API_SECRET', 'an api secret,dev-api-secret', 'API_SECRET is the development value'],
  ['CORS_ORIGINS', '*', 'CORS_ORIGINS needs origins'],
  ['CORS_ORIGINS', 'null', 'CORS_ORIGINS needs origins'],
  ['CORS_ORIGINS', 'https://shop.example.com/', 'CORS_ORIGINS needs origins'],
  ['CORS_ORIGINS', 'https://a.example, https://b.example', 'CORS_ORIGINS needs origins'],
  ['PUBLIC_URL', 'pay.example.com', 'PUBLIC_URL is not a URL'],
  [
    'PUBLIC_URL',
    'https://example.com/pay',
    'PUBLIC_URL needs a host of its own, such as https://pay.example.com',
  ],
  ['PUBLIC_URL', 'https://pay.example.com/?office=11', 'PUBLIC_URL needs a host of its own'],
  ['PUBLIC_URL', 'https://pay.example.com/#top', 'PUBLIC_URL needs a host of its own'],
  ['PUBLIC_URL', 'https://user@pay.example.com', 'PUBLIC_URL needs a host of its own'],
  ['PUBLIC_URL', 'ftp://pay.example.com', 'PUBLIC_URL needs a host of its own'],
  ['PORT', '99999', 'PORT'],
  ['ALLOW_PLAIN_SMTP', 'perhaps', 'ALLOW_PLAIN_SMTP is neither true nor false'],
  ['PORT', '1e3', 'PORT: not a whole number in digits'],
  ['PORT', '0x10', 'PORT: not a whole number in digits'],
  ['METRICS_PORT', '-1', 'METRICS_PORT: not a whole number in digits'],
  ['MAX_LAG_MILLISECONDS', 'off', 'MAX_LAG_MILLISECONDS: not a whole number in digits'],
  ['DRAIN_SECONDS', '1.5', 'DRAIN_SECONDS: not a whole number in digits'],
  ['DATABASE_POOL_SIZE', '1', 'DATABASE_POOL_SIZE'],
  ['OFFICE_API_KEY', 'an office key', 'OFFICE_API_KEY needs 24 characters or more in production'],
  ['PUBLIC_URL', 'http://pay.example.com', 'PUBLIC_URL is not https'],
  ['OFFICE_URL', 'http://office.example.com', 'OFFICE_URL is not https'],
  ['OFFICE_URL', '', 'Set OFFICE_URL to an origin of its own, such as https://office.example.com.'],
  ['OFFICE_URL', 'https://pay.example.com', 'Set OFFICE_URL to an origin of its own'],
  ['OFFICE_URL', 'https://office.example.com/console', 'Set OFFICE_URL to an origin of its own'],
  ['OPERATOR_KEY', 'an operator key', 'OPERATOR_KEY needs 24 characters or more'],
  ['USAEPAY_URL', 'http://usaepay.com/api/v2', 'USAEPAY_URL is not https'],
  ['TOKEN_SECRET', `${'k'.repeat(40)},short`, 'TOKEN_SECRET needs 32 characters or more'],
])('refuses a weak %s', (name, value, message) => {
  expect(() => readEnv({ ...complete, [name]: value })).toThrow(message);
});

test.each([
  'postgres://portal:pa#ss@db.internal/portal?sslmode=verify-full',
  'postgres://portal:12#ss@db.internal/portal?sslmode=verify-full',
  'postgres://portal:pa/ss@db.internal/portal?sslmode=verify-full',
  'postgres://portal:2/3@db.internal/portal?sslmode=verify-full',
  'postgres://portal:pa?ss@db.internal/portal?sslmode=verify-full',
  'postgres://portal:2?3@db.internal/portal?sslmode=verify-full',
  'db.internal/portal',
  'https://db.internal/portal?sslmode=verify-full',
])('refuses a database’s URL %s that the driver reads as another, without repeating it', (value) => {
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL']) {
    for (const NODE_ENV of ['production', 'development']) {
      const start = () => readEnv({ ...complete, NODE_ENV, [name]: value });
      expect(start).toThrow(`- ${name} is not a URL such as postgres://user:password@host/database`);
      expect(start).toThrow('write # as %23, / as %2F and ? as %3F');
      expect(start).not.toThrow(/asks for no TLS|db\.internal/);
    }
  }
});

const PLAIN_MAIL = [
  'smtp://mail.example.com',
  'smtp://user:secret@mail.example.com:587',
  'smtp://mail.example.com?requireTLS=false',
  'smtp://mail.example.com?requireTLS=true&ignoreTLS=true',
  'smtps://mail.example.com?tls.rejectUnauthorized=false',
  'direct://mail.example.com',
];
const PLAIN_DATABASES = [
  'postgres://portal:secret@db.internal/portal',
  'postgres://db.internal/portal?sslmode=disable',
  'postgres://db.internal/portal?sslmode=prefer',
  'postgres://db.internal/portal?sslmode=no-verify',
  'postgres://db.internal/portal?ssl=0',
  'postgres://db.internal/portal?uselibpqcompat=true&sslmode=require',
  'postgres://127.0.0.1/portal?sslmode=no-verify',
  'postgres:///portal?host=db.internal',
];

test.each([
  ...PLAIN_MAIL.map((value) => ['SMTP_URL', value, 'ALLOW_PLAIN_SMTP']),
  ...PLAIN_DATABASES.map((value) => ['DATABASE_URL', value, 'ALLOW_PLAIN_DATABASE']),
  ['MIGRATION_DATABASE_URL', 'postgres://owner@db.internal/portal', 'ALLOW_PLAIN_DATABASE'],
] as [string, string, string][])('production refuses %s=%s unless told', (name, value, allow) => {
  const settings = { ...complete, [name]: value };
  const start = () => readEnv(settings);
  expect(start).toThrow(`- ${name} asks for no TLS`);
  expect(start).toThrow(allow);
  expect(start).not.toThrow('secret');
  expect(() => readEnv({ ...settings, [allow]: 'false' })).toThrow(`${name} asks for no TLS`);
  expect(readEnv({ ...settings, [allow]: 'true' })).toMatchObject({ [allow]: true });
  expect(readEnv({ ...settings, NODE_ENV: 'development' })).toMatchObject({ [name]: value });
});

test.each([
  ['SMTP_URL', 'smtp://mail.example.com:587?requireTLS=true'],
  ['SMTP_URL', 'smtp://127.0.0.1:25'],
  ['SMTP_URL', 'smtp://localhost'],
  ['DATABASE_URL', 'postgres://db.internal/portal?sslmode=require'],
  ['DATABASE_URL', 'postgres://db.internal/portal?ssl=true'],
  ['DATABASE_URL', 'postgres://db.internal/portal?uselibpqcompat=true&sslmode=verify-ca'],
  ['DATABASE_URL', 'postgres://portal@localhost:5433/portal'],
  ['DATABASE_URL', 'postgresql://po%40rtal:p@%23%2F%3Fs%@db.internal/portal?ssl=true&options=-c%20x=y'],
  ['DATABASE_URL', 'postgres://db.internal/portal?sslmode=require&user=portal@db'],
  ['DATABASE_URL', 'postgres://[::1]/portal'],
  ['DATABASE_URL', 'postgres:///portal'],
  ['DATABASE_URL', 'postgres://portal@/portal?host=/var/run/postgresql'],
  ['DATABASE_URL', 'postgres://%2Fvar%2Frun%2Fpostgresql/portal'],
  ['DATABASE_URL', 'socket:/var/run/postgresql?db=portal'],
  ['DATABASE_URL', '/var/run/postgresql portal'],
])('production accepts %s=%s', (name, value) => {
  expect(readEnv({ ...complete, [name]: value })).toMatchObject({ [name]: value });
});

test('secrets that replace each other are read newest first', () => {
  expect(readEnv({ ...complete, API_SECRET: 'the new one,the old one' }).API_SECRET).toEqual([
    'the new one',
    'the old one',
  ]);
});

test('reads the origins that may call the API as a list', () => {
  const origins = ['https://shop.example.com', 'http://localhost:5173'];
  expect(readEnv({ ...complete, CORS_ORIGINS: origins.join() }).CORS_ORIGINS).toEqual(origins);
  expect(readEnv(complete).CORS_ORIGINS).toEqual([]);
});

test.each(['', ' ', '\t\n'])('treats the blank setting %j as missing', (blank) => {
  expect(() => readEnv({ ...complete, DATABASE_URL: blank })).toThrow('DATABASE_URL is missing');
  expect(() => readEnv({ ...complete, API_SECRET: blank.repeat(8) })).toThrow('API_SECRET is missing');
  const unset = { PORT: blank, MAX_LAG_MILLISECONDS: blank, DATABASE_POOL_SIZE: blank };
  expect(readEnv({ ...complete, ...unset })).toMatchObject({
    PORT: 3000,
    MAX_LAG_MILLISECONDS: 1_000,
    DATABASE_POOL_SIZE: 10,
  });
});

test.each([
  'errors.example.com',
  'https://key:hush@errors.example.com/',
  'https://key:hush@errors.example.com/project',
  'http://errors.example.com/1',
  'ftp://hush@errors.example.com/1',
  'https://key:hush@errors.example.com/1?x',
  'https://h-u-s-h@errors.example.com/1',
  'https://key:hush@errors.example.com:99999/1',
])('refuses the SENTRY_DSN %s, which the reporter could not use, without repeating it', (dsn) => {
  const start = () => readEnv({ ...complete, SENTRY_DSN: dsn });
  expect(start).toThrow('- SENTRY_DSN is not of the form https://key@host/1');
  expect(start).not.toThrow(/hush|h-u-s-h|errors\.example/);
});

test.each([
  'https://0123abcd@o1.ingest.errors.example.com/4501',
  'http://key:secret@127.0.0.1:9000/errors/1',
  'https://key@[::1]:9000/1',
])('accepts the SENTRY_DSN %s', (dsn) => {
  expect(readEnv({ ...complete, SENTRY_DSN: dsn }).SENTRY_DSN).toBe(dsn);
});

test('repeats no setting’s value in the message', () => {
  expect(() => readEnv({ ...complete, TOKEN_SECRET: 'hush' })).not.toThrow('hush');
});

test('reads TRUST_PROXY as a number of hops or a list of addresses', () => {
  const trusts = (setting: string, address: string, hop: number) =>
    readEnv({ ...complete, TRUST_PROXY: setting }).TRUST_PROXY(address, hop);
  expect([trusts('1', '10.0.0.1', 0), trusts('1', '10.0.0.2', 1)]).toEqual([true, false]);
  expect([trusts('10.0.0.1', '10.0.0.1', 5), trusts('10.0.0.1', '10.0.0.2', 0)]).toEqual([true, false]);
  expect(() => trusts('a proxy', '10.0.0.1', 0)).toThrow('TRUST_PROXY is no number of hops');
});

test('serves the console beside the portal without OFFICE_URL, outside of production', () => {
  const { OFFICE_URL: _, ...settings } = { ...complete, NODE_ENV: 'development' };
  expect(readEnv(settings).OFFICE_URL).toBe('https://pay.example.com');
});
