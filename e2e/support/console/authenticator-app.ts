import { stepAt, totpCode } from '../../../apps/api/src/modules/staff/factors/totp.ts';

const RFC_4648 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export type AuthenticatorApp = {
  nextCode(): string;
  /** Codes that are wrong now and for as long as a journey takes. */
  wrongCodes(): string[];
};

/** Half a minute each. */
const A_JOURNEY_STEPS = 20;

/** An authenticator app: takes the secret from the screen, and never shows a code twice. */
export function authenticatorApp(secret: string): AuthenticatorApp {
  const bits = [...secret.replace(/\s/g, '')]
    .map((letter) => RFC_4648.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  let last = 0;
  return {
    nextCode() {
      // The server also accepts the next step's code.
      last = Math.max(last + 1, stepAt(new Date()));
      return totpCode(key, last);
    },
    wrongCodes() {
      const now = stepAt(new Date());
      const shown = Array.from({ length: A_JOURNEY_STEPS }, (_, step) => totpCode(key, now - 2 + step));
      const codes = Array.from({ length: 2 * A_JOURNEY_STEPS }, (_, code) => `${code}`.padStart(6, '0'));
      return codes.filter((code) => !shown.includes(code));
    },
  };
}
