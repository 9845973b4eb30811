import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts what the database must not show: card tokens and the keys of merchant accounts. */
export type SecretBox = {
  seal(plain: string): string;
  /** Throws when no key fits or the text was altered. */
  open(sealed: string): string;
  /** Whether a sealed text still uses an older key, and is due to be sealed again. */
  isStale(sealed: string): boolean;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under the first of the keys; texts sealed under any of the others are still opened. */
export function createSecretBox(dataKeys: readonly string[]): SecretBox {
  const keys = dataKeys.map((dataKey) => ({
    key: Buffer.from(hkdfSync('sha256', dataKey, '', 'brightpane data key', 32)),
    name: Buffer.from(hkdfSync('sha256', dataKey, '', 'brightpane key name', 6)).toString('base64url'),
  }));
  const [newest] = keys;
  if (!newest) throw new Error('a secret box needs a key');

  return {
    seal(plain) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.key, iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${newest.name}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed) {
      const [name, data = ''] = sealed.split('.');
      const found = keys.find((candidate) => candidate.name === name);
      if (!found) throw new Error('sealed with a key that is not configured');
      const bytes = Buffer.from(data, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', found.key, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
    isStale: (sealed) => !sealed.startsWith(`${newest.name}.`),
  };
}
