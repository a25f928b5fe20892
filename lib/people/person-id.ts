import { createHash } from 'node:crypto';

/**
 * Returns the id of the person with this subject at an issuer: a UUID (version 8, RFC 9562, section 5.8) of their digest. The
 * same pair always gives the same id, and nobody can find another pair with this id.
 *
 * @param issuer `iss`, exactly as in the ID token
 * @param subject `sub`, which the issuer never gives to anybody else (OpenID Connect Core 1.0, section 2)
 */
export function personIdOf(issuer: string, subject: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([issuer, subject]), 'utf8')
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
