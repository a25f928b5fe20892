/** KMS: Encrypt, Decrypt, GenerateDataKey and DescribeKey over awsJson 1.1. */

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Caller } from '../../identity/policy-decision.ts';
import type { EncryptionKeyResource } from '../../model.ts';
import { AwsError, requireAccess } from '../errors.ts';
import { type JsonOperation, jsonService, operation } from '../json-protocol.ts';
import type { BufferedService } from '../service.ts';
import { type EncryptionContext, seal, sealingKeyId, unseal } from './envelope.ts';
import type { KeyStore } from './key-store.ts';

export interface KmsDependencies {
  readonly accountId: string;
  readonly keys: readonly EncryptionKeyResource[];
  readonly store: KeyStore;
}

const context = z.record(z.string(), z.string()).default({});
const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const encryptInput = z.object({
  KeyId: z.string(),
  Plaintext: bytes.refine(
    (value) => value.length >= 1 && value.length <= 4096,
    'Member must have 1 to 4096 bytes',
  ),
  EncryptionContext: context,
});
const decryptInput = z.object({
  CiphertextBlob: bytes,
  KeyId: z.string().optional(),
  EncryptionContext: context,
});
const generateInput = z
  .object({
    KeyId: z.string(),
    EncryptionContext: context,
    KeySpec: z.enum(['AES_256', 'AES_128']).optional(),
    NumberOfBytes: z.number().int().min(1).max(1024).optional(),
  })
  .refine(
    ({ KeySpec, NumberOfBytes }) => (KeySpec === undefined) !== (NumberOfBytes === undefined),
    'Please specify either number of bytes or key spec.',
  );
const describeInput = z.object({ KeyId: z.string() });

export function createKmsService(dependencies: KmsDependencies): BufferedService {
  return jsonService({
    operations: kmsOperations(dependencies),
    targetPrefix: 'TrentService.',
    deniedType: 'com.amazon.coral.service#AccessDeniedException',
  });
}

function kmsOperations({ keys, store, accountId }: KmsDependencies): Record<string, JsonOperation> {
  /** Finds a key by its id, ARN, alias or alias ARN, as KMS does. */
  function keyNamed(keyId: string): EncryptionKeyResource {
    const alias = keyId.replace(/^arn:[^:]+:kms:[^:]*:[^:]*:(?=alias\/)/, '');
    const found = keys.find((key) => key.id === keyId || key.arn === keyId || key.aliases.includes(alias));
    if (!found) throw new AwsError('NotFoundException', `Key '${keyId}' does not exist`);
    return found;
  }

  function allow(caller: Caller, action: string, key: EncryptionKeyResource, used: EncryptionContext): void {
    const pairs = Object.entries(used).map(([name, value]) => [`kms:EncryptionContext:${name}`, value]);
    requireAccess(caller, {
      action: `kms:${action}`,
      resource: key.arn,
      context: { ...Object.fromEntries(pairs), 'kms:EncryptionContextKeys': Object.keys(used) },
    });
  }

  function sealed(key: EncryptionKeyResource, plaintext: Buffer, used: EncryptionContext): string {
    const material = store.material(key.arn);
    return seal({ id: key.id, material }, plaintext, used, randomBytes(12)).toString('base64');
  }

  return {
    Encrypt: operation(encryptInput, ({ KeyId, Plaintext, EncryptionContext }, { caller }) => {
      const key = keyNamed(KeyId);
      allow(caller, 'Encrypt', key, EncryptionContext);
      return {
        KeyId: key.arn,
        CiphertextBlob: sealed(key, Plaintext, EncryptionContext),
        EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
      };
    }),
    Decrypt: operation(decryptInput, ({ CiphertextBlob, KeyId, EncryptionContext }, { caller }) => {
      const sealingKey = keys.find((key) => key.id === sealingKeyId(CiphertextBlob));
      if (!sealingKey)
        throw new AwsError('InvalidCiphertextException', 'The ciphertext is not one of this account.');
      if (KeyId !== undefined && keyNamed(KeyId) !== sealingKey) {
        throw new AwsError(
          'IncorrectKeyException',
          'The key ID in the request does not identify a CMK that can perform this operation.',
        );
      }
      allow(caller, 'Decrypt', sealingKey, EncryptionContext);
      const plaintext = unseal(store.material(sealingKey.arn), CiphertextBlob, EncryptionContext);
      if (!plaintext) {
        throw new AwsError(
          'InvalidCiphertextException',
          'The ciphertext or its encryption context was changed.',
        );
      }
      return {
        KeyId: sealingKey.arn,
        Plaintext: plaintext.toString('base64'),
        EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
      };
    }),
    GenerateDataKey: operation(
      generateInput,
      ({ KeyId, KeySpec, NumberOfBytes, EncryptionContext }, { caller }) => {
        const key = keyNamed(KeyId);
        allow(caller, 'GenerateDataKey', key, EncryptionContext);
        const dataKey = randomBytes(NumberOfBytes ?? (KeySpec === 'AES_128' ? 16 : 32));
        return {
          KeyId: key.arn,
          Plaintext: dataKey.toString('base64'),
          CiphertextBlob: sealed(key, dataKey, EncryptionContext),
        };
      },
    ),
    DescribeKey: operation(describeInput, ({ KeyId }, { caller }) => {
      const key = keyNamed(KeyId);
      allow(caller, 'DescribeKey', key, {});
      return {
        KeyMetadata: {
          AWSAccountId: accountId,
          KeyId: key.id,
          Arn: key.arn,
          Enabled: true,
          KeyState: 'Enabled',
          KeyUsage: 'ENCRYPT_DECRYPT',
          KeySpec: 'SYMMETRIC_DEFAULT',
          KeyManager: 'CUSTOMER',
          Origin: 'AWS_KMS',
          EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'],
        },
      };
    }),
  };
}
