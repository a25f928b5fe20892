import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { awsClientOptions } from './client-options.ts';

/** The owner of a sealed text, which opens only with the same context. It appears in audit logs, so use ids only. */
export type SealContext = Readonly<Record<string, string>>;

/** A key service (KMS) that generates data keys and decrypts them. */
export interface DataKeys {
  readonly generate: (context: SealContext) => Promise<{ plain: Uint8Array; sealed: Uint8Array }>;
  readonly open: (sealed: Uint8Array, context: SealContext) => Promise<Uint8Array>;
}

/**
 * Opens data keys that are encrypted under one KMS key. Decrypting requires exactly the context with which a key was generated.
 */
export function openDataKeys(keyId: string): DataKeys {
  const client = new KMSClient(awsClientOptions());
  return {
    generate: async (context) => {
      const answer = await client.send(
        new GenerateDataKeyCommand({ KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: { ...context } }),
      );
      if (!answer.Plaintext || !answer.CiphertextBlob) throw new Error('KMS returned no data key');
      return { plain: answer.Plaintext, sealed: answer.CiphertextBlob };
    },
    open: async (sealed, context) => {
      const answer = await client.send(
        new DecryptCommand({ KeyId: keyId, CiphertextBlob: sealed, EncryptionContext: { ...context } }),
      );
      if (!answer.Plaintext) throw new Error('KMS returned no decrypted data key');
      return answer.Plaintext;
    },
  };
}
