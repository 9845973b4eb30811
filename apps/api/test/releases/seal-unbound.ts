import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals as the portal did before sealed texts were bound to rows: the result opens in any row. */
export function sealUnbound(dataKey: string, plain: string): string {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', 'brightpane data key', 32));
  const name = Buffer.from(hkdfSync('sha256', dataKey, '', 'brightpane key name', 6)).toString('base64url');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `${name}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
}
