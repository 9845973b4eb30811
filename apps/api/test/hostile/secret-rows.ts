import { type BadInput, fields, MARK } from './spoil.ts';

const INJECTIONS = [
  `' OR '1'='1' -- ${MARK}`,
  `"; DROP TABLE app_user; -- ${MARK}`,
  `') UNION SELECT password_hash FROM app_user -- ${MARK}`,
  `{{7*7}}${MARK}`,
  `\${jndi:ldap://${MARK}}`,
  `<script>${MARK}</script>`,
  `%00${MARK}`,
  `../../../../etc/passwd ${MARK}`,
  `$(sleep 5)${MARK}`,
];

/** Injections in place of a secret or of a number printed on an invoice. */
export const SECRET_ROWS: readonly BadInput[] = [
  ...INJECTIONS.flatMap((words): BadInput[] => [
    [`the email ${words}`, 'login', fields({ email: words }), 401],
    [`the password ${words}`, 'login', fields({ password: words }), 401],
    [`the token ${words}`, 'refresh', fields({ refreshToken: words }), 401],
    [`the token ${words}`, 'confirm', fields({ token: words }), 400],
    [`the token ${words}`, 'confirmResetPassword', fields({ passwordToken: words }), 400],
    [`the token ${words}`, 'acceptInvite', fields({ passwordToken: words }), 400],
    [`the token ${words}`, 'confirmEmailChange', fields({ token: words }), 400],
    [`the token ${words}`, 'undoEmailChange', fields({ token: words }), 400],
    [`the token ${words}`, 'lookAtOffer', fields({ token: words }), 400],
    [`the token ${words}`, 'registerWithOffer', fields({ token: words }), 400],
    [`the token ${words}`, 'useOffer', fields({ token: words }), 400],
    [`the payment key ${words}`, 'guestSale', fields({ paymentKey: words }), 400],
    [`the payment key ${words}`, 'addPaymentMethod', fields({ paymentKey: words }), 400],
  ]),
  // Cut short, because they are longer than any zip code.
  ...INJECTIONS.flatMap((words): BadInput[] => [
    [`the zip code ${words}`, 'searchInvoice', fields({ zipCode: words.slice(0, 20) }), 404],
    [`the zip code ${words}`, 'addLocation', fields({ zipCode: words.slice(0, 20) }), 404],
  ]),
  ['no token', 'refresh', fields({ refreshToken: undefined }), 400],
  ['an empty token', 'refresh', fields({ refreshToken: '' }), 400],
  ['an endless token', 'refresh', fields({ refreshToken: MARK.repeat(500) }), 400],
  ['a list of tokens', 'refresh', fields({ refreshToken: [MARK] }), 400],
  ['a token with a NUL', 'refresh', fields({ refreshToken: `${MARK}\u0000` }), 401],
  ['a token with a NUL', 'confirm', fields({ token: `${MARK}\u0000` }), 400],
  ['a token that is an object', 'confirm', fields({ token: { $ne: '' } }), 400],
  ['an endless token', 'confirm', fields({ token: MARK.repeat(500) }), 400],
  ...(['lookAtOffer', 'registerWithOffer', 'useOffer'] as const).flatMap((call): BadInput[] => [
    ['no token', call, fields({ token: undefined }), 400],
    ['a token with a NUL', call, fields({ token: `${MARK}\u0000` }), 400],
    ['a token that is an object', call, fields({ token: { $ne: '' } }), 400],
    ['an endless token', call, fields({ token: MARK.repeat(500) }), 400],
  ]),
  ['a short password', 'registerWithOffer', fields({ password: 'short' }), 400],
  ...(['changeEmail', 'changePassword', 'exportData', 'closeAccount'] as const).flatMap(
    (call): BadInput[] => [
      ['no current password', call, fields({ password: undefined }), 400],
      ['an empty current password', call, fields({ password: '' }), 400],
      ['an endless current password', call, fields({ password: MARK.repeat(500) }), 400],
      ['a current password that is an object', call, fields({ password: { $ne: '' } }), 400],
      ['a current password that is wrong', call, fields({ password: MARK }), 400],
    ],
  ),
  ['no new password', 'changePassword', fields({ newPassword: undefined }), 400],
  ['a card number for a new password', 'changePassword', fields({ newPassword: '4111111111111111' }), 400],
  ['a short password', 'undoEmailChange', fields({ password: 'short' }), 400],
  ['an endless password', 'login', fields({ password: MARK.repeat(500) }), 400],
  ['a password that is an object', 'login', fields({ password: { $ne: '' } }), 400],
  ['a password of half characters', 'login', fields({ password: `${MARK}\ud800` }), 401],
  ['an email of half characters', 'login', fields({ email: `${MARK}\ud800@example.com` }), 401],
  ['an email with a NUL', 'login', fields({ email: `${MARK}\u0000@example.com` }), 400],
  ['a short password', 'register', fields({ password: 'short' }), 400],
  ['a password of 129 characters', 'register', fields({ password: 'ab'.repeat(64) + MARK }), 400],
  ['a password that everybody has', 'register', fields({ password: 'password1' }), 400],
  ['a password of half characters', 'register', fields({ password: `${MARK} long enough \udc00` }), 400],
];
