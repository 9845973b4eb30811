import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The row and field of a sealed text; moved anywhere else, it can't be opened. */
export type SecretPlace = {
  table: 'merchant_account' | 'payment_method' | 'staff_factor';
  id: string | number;
  field: string;
};

/** Encrypts what the database must not reveal: card tokens, merchant accounts' keys and app secrets. */
export type SecretBox = {
  seal(plain: string, place: SecretPlace): string;
  /** Throws `UnreadableSecret` if no key fits, the text was altered, or it belongs to another place. */
  open(sealed: string, place: SecretPlace): string;
  /** How texts sealed under the newest key begin. */
  readonly newestPrefix: string;
  /** Whether a sealed text uses an older key or format and should be resealed. */
  isStale(sealed: string): boolean;
};

class UnreadableSecret extends Error {}

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Texts of the first format have no version and aren't bound to a place. */
const FORMAT = '2';

/** Seals with AES-256-GCM under the first key, and opens texts sealed under any of the keys. */
export function createSecretBox(dataKeys: readonly string[]): SecretBox {
  const keys = dataKeys.map((dataKey) => ({
    key: Buffer.from(hkdfSync('sha256', dataKey, '', 'brightpane data key', 32)),
    name: Buffer.from(hkdfSync('sha256', dataKey, '', 'brightpane key name', 6)).toString('base64url'),
  }));
  const [newest] = keys;
  if (!newest) throw new Error('a secret box needs a key');
  const newestPrefix = `${FORMAT}.${newest.name}.`;

  return {
    seal(plain, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.key, iv).setAAD(boundTo(place));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const data = Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
      return newestPrefix + data;
    },
    open(sealed, place) {
      const { name, data, isBound } = parse(sealed);
      const found = keys.find((candidate) => candidate.name === name);
      if (!found) throw new UnreadableSecret('sealed with a key that is not configured');
      const bytes = Buffer.from(data, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', found.key, bytes.subarray(0, IV_BYTES));
        if (isBound) decipher.setAAD(boundTo(place));
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const body = bytes.subarray(IV_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new UnreadableSecret('altered, or moved from another row', { cause });
      }
    },
    newestPrefix,
    isStale: (sealed) => !sealed.startsWith(newestPrefix),
  };
}

/** The opened text, or `null` if it can't be read. */
export function openOrNull(
  { open }: Pick<SecretBox, 'open'>,
  sealed: string,
  place: SecretPlace,
): string | null {
  try {
    return open(sealed, place);
  } catch (error) {
    if (error instanceof UnreadableSecret) return null;
    throw error;
  }
}

const boundTo = ({ table, id, field }: SecretPlace) => Buffer.from(`${table}/${id}/${field}`);

function parse(sealed: string): { name: string; data: string; isBound: boolean } {
  const parts = sealed.split('.');
  const isBound = parts.length === 3 && parts[0] === FORMAT;
  const [name = '', data = ''] = isBound ? parts.slice(1) : parts;
  return { name, data, isBound };
}
