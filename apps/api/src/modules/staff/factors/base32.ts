/** RFC 4648, which authenticator apps expect. */
const RFC_4648 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Crockford's: no two characters look alike on paper. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const toBase32 = (bytes: Buffer): string => encode(bytes, RFC_4648);
export const toCrockford = (bytes: Buffer): string => encode(bytes, CROCKFORD);

/** Encodes bytes whose bits fill the last letter. */
function encode(bytes: Buffer, letters: string): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => letters[Number.parseInt(five, 2)]).join('');
}
