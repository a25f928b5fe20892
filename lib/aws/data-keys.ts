import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { awsClientOptions } from './client-options.ts';

/** What a sealed text belongs to; it opens for nothing else. It stands in clear in audit logs, so it holds ids only. */
export type SealContext = Readonly<Record<string, string>>;

/** A key service that makes data keys and opens them again (KMS). */
export interface DataKeys {
  readonly generate: (context: SealContext) => Promise<{ plain: Uint8Array; sealed: Uint8Array }>;
  readonly open: (sealed: Uint8Array, context: SealContext) => Promise<Uint8Array>;
}

/** Data keys under one KMS key. The context of a sealed key has to be repeated exactly to open it. */
export function openDataKeys(keyId: string): DataKeys {
  const client = new KMSClient(awsClientOptions());
  return {
    generate: async (context) => {
      const answer = await client.send(
        new GenerateDataKeyCommand({ KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: { ...context } }),
      );
      if (!answer.Plaintext || !answer.CiphertextBlob) throw new Error('KMS gave no data key');
      return { plain: answer.Plaintext, sealed: answer.CiphertextBlob };
    },
    open: async (sealed, context) => {
      const answer = await client.send(
        new DecryptCommand({ KeyId: keyId, CiphertextBlob: sealed, EncryptionContext: { ...context } }),
      );
      if (!answer.Plaintext) throw new Error('KMS opened no data key');
      return answer.Plaintext;
    },
  };
}
