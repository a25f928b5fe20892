import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A webhook as it comes in at a receiver. */
export interface SignatureRow {
  readonly name: string;
  readonly body: string;
  /** The receiver's. */
  readonly secret: string;
  /** The receiver's clock, in Unix seconds. */
  readonly now: number;
  readonly header: string;
  readonly valid: boolean;
  /** Of a header that we would make ourselves. */
  readonly signedAt?: number;
  readonly signedWith?: readonly string[];
}

/** Made by another implementation, Python's `hmac`. */
export const signatureRows: readonly SignatureRow[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/webhook-signatures.json'), 'utf8'),
);
