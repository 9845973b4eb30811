import type { CallName } from './calls.ts';
import { appended, type BadInput, fields, header, MARK, nested, raw, type Spoil } from './spoil.ts';

/** Bodies that aren't JSON, or not a kind of JSON that any call takes. */
const UNREADABLE: readonly (readonly [what: string, spoil: Spoil, status: number])[] = [
  ['a body that ends too early', raw('{"email":'), 400],
  ['a body that is no JSON', raw(`${MARK} <not json>`), 400],
  ['two JSON values', raw('{}{}'), 400],
  ['single quotes', raw("{'email':'a@example.com'}"), 400],
  ['a comment', raw('{/* */}'), 400],
  ['a comma too many', raw('{"email":"a@example.com",}'), 400],
  ['NaN', raw('{"email":NaN}'), 400],
  ['a number with a leading zero', raw('{"email":01}'), 400],
  ['a line break inside of a string', raw('{"email":"a\nb"}'), 400],
  ['null', raw('null'), 400],
  ['a list', raw('[]'), 400],
  ['a string', raw(`"${MARK}"`), 400],
  ['a number', raw('1e999'), 400],
  ['true', raw('true'), 400],
  ['only blanks', raw('   '), 400],
  ['no body at all', raw(''), 400],
  ['UTF-16', raw(Buffer.from('{"email":"a@example.com"}', 'utf16le')), 400],
  ['bytes that are no UTF-8', raw(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])), 400],
  ['an overlong NUL', raw(Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])), 400],
  ['an unknown field', fields({ [MARK]: MARK }), 400],
  ['an unknown field with markup for a name', fields({ [`<img src=x onerror=${MARK}>`]: 1 }), 400],
  ['__proto__', appended(`"__proto__":{"isAdmin":"${MARK}"}`), 400],
  ['__proto__ in escapes', appended(String.raw`"\u005f\u005fproto__":{"isAdmin":true}`), 400],
  ['a constructor with a prototype', appended('"constructor":{"prototype":{"isAdmin":true}}'), 400],
  ['lists nine deep', appended(`"deep":${nested(9)}`), 400],
  ['lists ten thousand deep', raw(nested(10_000)), 400],
  ['plain text', raw('{"email":"a@example.com"}', 'text/plain'), 415],
  ['a form', raw('email=a%40example.com', 'application/x-www-form-urlencoded'), 415],
  ['a form with parts', raw(`--x\r\n\r\n${MARK}\r\n--x--`, 'multipart/form-data; boundary=x'), 415],
  ['XML', raw('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>', 'application/xml'), 415],
  ['YAML', raw('email: a@example.com', 'application/yaml'), 415],
  ['JSON under another name', raw('{}', 'application/json-patch+json'), 415],
  ['a content type that is none', raw('{}', `${MARK};;=`), 415],
  ['a packed body', header('content-encoding', 'gzip'), 415],
];

const WITH_BODY = [
  'login',
  'refresh',
  'logout',
  'register',
  'confirm',
  'resendEmailConfirmation',
  'confirmResetPassword',
  'acceptInvite',
  'searchInvoice',
  'addLocation',
  'guestSale',
  'portalSale',
  'addPaymentMethod',
  'invite',
  'franchise',
  'switchUser',
  'restored',
] as const satisfies readonly CallName[];

/** Each of them at every call that takes a body. */
export const BODY_ROWS: readonly BadInput[] = [
  ...WITH_BODY.flatMap((call) =>
    UNREADABLE.map(([what, spoil, status]) => [what, call, spoil, status] as const),
  ),
  ...WITH_BODY.filter((call) => call !== 'portalSale').map(
    (call) => ['more than 32 KiB', call, raw(`{"x":"${'x'.repeat(32 * 1024)}"}`), 413] as const,
  ),
  ['more than 256 KiB', 'portalSale', raw(`{"x":"${'x'.repeat(256 * 1024)}"}`), 413],
];
