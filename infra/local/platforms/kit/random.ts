import { randomBytes } from 'node:crypto';

/** The source of all random ids and secrets of a platform. */
export interface Random {
  bytes(count: number): Buffer;
  /** Returns a random code or token of 160 bits. @param prefix its first characters */
  secret(prefix?: string): string;
  /** Returns a random UUID (RFC 9562, version 4). */
  uuid(): string;
}

/** @param bytes returns this many random bytes */
export function openRandom(bytes: (count: number) => Buffer = randomBytes): Random {
  return {
    bytes,
    secret: (prefix = '') => prefix + bytes(20).toString('base64url'),
    uuid() {
      const value = Buffer.from(bytes(16));
      value.writeUInt8((value.readUInt8(6) & 0x0f) | 0x40, 6);
      value.writeUInt8((value.readUInt8(8) & 0x3f) | 0x80, 8);
      return value.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
}
