import { generateKeyPairSync, sign } from 'node:crypto';

export interface TestCertificate {
  /** PEM. It is self-signed, so clients trust it by using it as their authority. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

/**
 * Creates a self-signed certificate (X.509 version 3, RFC 5280) for the given names. It encodes the certificate itself,
 * because Node.js can create keys but not certificates, and not every machine has the `openssl` command.
 *
 * @param validUntil by default an hour from now
 */
export function selfSignedCertificate(
  names: readonly string[],
  validUntil: Date = new Date(Date.now() + 3_600_000),
): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId(ecdsaWithSha256));
  const name = sequence(set(sequence(objectId(commonName), text(names[0] ?? ''))));
  const validity = sequence(time(new Date(validUntil.getTime() - 7_200_000)), time(validUntil));
  const alternatives = sequence(...names.map((dnsName) => tagged(0x82, Buffer.from(dnsName))));
  const isAuthority = sequence(tagged(0x01, Buffer.of(0xff)));
  const extensions = sequence(
    sequence(objectId(subjectAltName), tagged(0x04, alternatives)),
    sequence(objectId(basicConstraints), tagged(0x04, isAuthority)),
  );
  const toBeSigned = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.of(1)),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.of(0), sign('sha256', toBeSigned, privateKey)]));
  const base64 = sequence(toBeSigned, algorithm, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Object identifiers, in DER. */
const ecdsaWithSha256 = '2a8648ce3d040302';
const commonName = '550403';
const subjectAltName = '551d11';
const basicConstraints = '551d13';

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const lengthBytes = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...lengthBytes), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const set = (part: Buffer): Buffer => tagged(0x31, part);
const objectId = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const text = (value: string): Buffer => tagged(0x0c, Buffer.from(value));
const time = (at: Date): Buffer =>
  tagged(0x18, Buffer.from(`${at.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`));
