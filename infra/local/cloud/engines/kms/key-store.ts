/** Stores the material of each KMS key: 256 random bits, generated when the key is first deployed. */

import { randomBytes } from 'node:crypto';
import type { EncryptionKeyResource } from '../../model.ts';
import { openDatabase } from '../database.ts';

export interface KeyStore {
  material(keyArn: string): Buffer;
  close(): void;
}

const schema =
  'CREATE TABLE IF NOT EXISTS keys (arn TEXT PRIMARY KEY, material BLOB NOT NULL) STRICT, WITHOUT ROWID;';

export function openKeyStore(file: string, keys: readonly EncryptionKeyResource[]): KeyStore {
  const { connection, close } = openDatabase(file, schema);
  const insert = connection.prepare('INSERT INTO keys (arn, material) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const select = connection.prepare('SELECT material FROM keys WHERE arn = ?');
  for (const key of keys) insert.run(key.arn, randomBytes(32));
  return {
    material(keyArn) {
      const material = select.get(keyArn)?.['material'];
      if (!(material instanceof Uint8Array)) throw new Error(`There is no key material for ${keyArn}`);
      return Buffer.from(material);
    },
    close,
  };
}
