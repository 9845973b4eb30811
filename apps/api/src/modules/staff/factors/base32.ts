/** RFC 4648, as apps on phones read secrets. */
const RFC_4648 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Crockford's: nothing in it is taken for something else when it is read from paper. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const toBase32 = (bytes: Buffer): string => encode(bytes, RFC_4648);
export const toCrockford = (bytes: Buffer): string => encode(bytes, CROCKFORD);

/** Of a number of bytes that fills the last letter. */
function encode(bytes: Buffer, letters: string): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => letters[Number.parseInt(five, 2)]).join('');
}
