import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A webhook as a receiver gets it. */
export interface SignatureRow {
  readonly name: string;
  readonly body: string;
  /** The receiver's secret. */
  readonly secret: string;
  /** The receiver's clock, in Unix seconds. */
  readonly now: number;
  readonly header: string;
  readonly valid: boolean;
  /** Only for headers that Herald itself could make. */
  readonly signedAt?: number;
  readonly signedWith?: readonly string[];
}

/** Made with another implementation, Python's `hmac`. */
export const signatureRows: readonly SignatureRow[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/webhook-signatures.json'), 'utf8'),
);
