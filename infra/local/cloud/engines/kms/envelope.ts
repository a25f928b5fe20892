/**
 * Encrypts and decrypts with a KMS key: AES-256-GCM, with the encryption context as additional authenticated data. The
 * ciphertext starts with the key's id, as in AWS, so that decryption needs no key id.
 */

import { createCipheriv, createDecipheriv } from 'node:crypto';

export type EncryptionContext = Readonly<Record<string, string>>;

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts. @param nonce 12 bytes that were never used before with this key. */
export function seal(
  key: { id: string; material: Buffer },
  plaintext: Buffer,
  context: EncryptionContext,
  nonce: Buffer,
): Buffer {
  const id = Buffer.from(key.id);
  const header = Buffer.concat([Buffer.of(version, id.length), id, nonce]);
  const cipher = createCipheriv('aes-256-gcm', key.material, nonce);
  cipher.setAAD(Buffer.concat([header, contextBytes(context)]));
  return Buffer.concat([header, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Returns the id of the key that encrypted a ciphertext; undefined if it does not have the format of `seal`. */
export function sealingKeyId(ciphertext: Buffer): string | undefined {
  const idEnd = 2 + (ciphertext[1] ?? 0);
  if (ciphertext[0] !== version || ciphertext.length < idEnd + nonceBytes + tagBytes) return undefined;
  return ciphertext.toString('utf8', 2, idEnd);
}

/** Decrypts. @returns undefined if the ciphertext or the context was changed. */
export function unseal(material: Buffer, ciphertext: Buffer, context: EncryptionContext): Buffer | undefined {
  const headerEnd = 2 + (ciphertext[1] ?? 0) + nonceBytes;
  const header = ciphertext.subarray(0, headerEnd);
  const decipher = createDecipheriv('aes-256-gcm', material, header.subarray(-nonceBytes));
  decipher.setAAD(Buffer.concat([header, contextBytes(context)]));
  decipher.setAuthTag(ciphertext.subarray(-tagBytes));
  const sealed = ciphertext.subarray(headerEnd, -tagBytes);
  try {
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Returns a context as bytes, sorted, because the order of its pairs does not matter. */
function contextBytes(context: EncryptionContext): Buffer {
  const pairs = Object.entries(context).sort(([one], [other]) => (one < other ? -1 : 1));
  return Buffer.from(JSON.stringify(pairs));
}
