import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export type Certified = { key: string; cert: string };

const SEQUENCE = 0x30;
const SET = 0x31;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Our own certificate authority. It issues X.509 version 3 certificates, encoded in DER by hand. */
export function makeCertificateAuthority() {
  const name = 'An authority of a test';
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name, key: keys.privateKey };
  return {
    cert: makeCertificate({ issuer, name, publicKey: keys.publicKey, extension: IS_AUTHORITY }),
    /** `host` is an IPv4 address or a name; `days` counts from yesterday. */
    issue({ host, days = 2 }: { host: string; days?: number }): Certified {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const cert = makeCertificate({
        issuer,
        name: host,
        publicKey: own.publicKey,
        extension: alternativeName(host),
        days,
      });
      return { key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
    },
  };
}

function makeCertificate({
  issuer,
  name,
  publicKey,
  extension,
  days = 2,
}: {
  issuer: { name: string; key: KeyObject };
  name: string;
  publicKey: KeyObject;
  extension: Buffer;
  days?: number;
}): string {
  const begin = Date.now() - DAY_MILLISECONDS;
  const version = der(0xa0, integer(Buffer.from([2])));
  const serial = integer(Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const signed = der(
    SEQUENCE,
    version,
    serial,
    ECDSA_WITH_SHA256,
    distinguishedName(issuer.name),
    der(SEQUENCE, time(begin), time(begin + days * DAY_MILLISECONDS)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, issuer.key));
  const lines =
    der(SEQUENCE, signed, ECDSA_WITH_SHA256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** A DER value: tag, length and content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const integer = (bytes: Buffer) => der(0x02, bytes);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const distinguishedName = (name: string) =>
  der(SEQUENCE, der(SET, der(SEQUENCE, identifier('550403'), der(0x0c, Buffer.from(name)))));

/** UTCTime: YYMMDDhhmmssZ. */
function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

const ECDSA_WITH_SHA256 = der(SEQUENCE, identifier('2a8648ce3d040302'));
const TRUE = der(0x01, Buffer.from([0xff]));
const IS_AUTHORITY = der(SEQUENCE, identifier('551d13'), TRUE, der(0x04, der(SEQUENCE, TRUE)));

function alternativeName(host: string): Buffer {
  const isAddress = /^[\d.]+$/.test(host);
  const name = isAddress ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
  return der(SEQUENCE, identifier('551d11'), der(0x04, der(SEQUENCE, name)));
}
