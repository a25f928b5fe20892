import {
  DecryptCommand,
  DescribeKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  KMSClient,
} from '@aws-sdk/client-kms';
import {
  GetParameterCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
  PutParameterCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTokenBuckets } from '../../engines/token-bucket.ts';
import { keyArn, startTestCloud, type TestCloud } from '../../testing/cloud.ts';

const buckets = createTokenBuckets();
let cloud: TestCloud;
let kms: KMSClient;
let ssm: SSMClient;

beforeAll(async () => {
  cloud = await startTestCloud({ buckets });
});
afterAll(() => cloud.stop());
beforeEach(() => {
  kms = new KMSClient(cloud.client());
  ssm = new SSMClient(cloud.client());
});

const Plaintext = Buffer.from('a token');
const EncryptionContext = { workspace: 'w1', account: 'a1' };

describe('KMS', () => {
  it.each(['tokens', keyArn, 'alias/herald-tokens'])(
    'encrypts with the key %s and decrypts without a key id',
    async (KeyId) => {
      const { CiphertextBlob } = await kms.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext }));
      const output = await kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));
      expect(Buffer.from(output.Plaintext ?? []).toString()).toBe('a token');
      expect(output.KeyId).toBe(keyArn);
    },
  );

  it('decrypts after a restart', async () => {
    const { CiphertextBlob } = await kms.send(new EncryptCommand({ KeyId: 'tokens', Plaintext }));
    await cloud.restart();
    const output = await new KMSClient(cloud.client()).send(new DecryptCommand({ CiphertextBlob }));
    expect(Buffer.from(output.Plaintext ?? []).toString()).toBe('a token');
  });

  it('generates a data key whose ciphertext decrypts to its plaintext', async () => {
    const made = await kms.send(
      new GenerateDataKeyCommand({ KeyId: 'tokens', KeySpec: 'AES_256', EncryptionContext }),
    );
    const { CiphertextBlob } = made;
    const opened = await kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));
    expect(made.Plaintext).toHaveLength(32);
    expect(opened.Plaintext).toEqual(made.Plaintext);
  });

  it('describes a key', async () => {
    const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId: 'alias/herald-tokens' }));
    expect(KeyMetadata).toMatchObject({ Arn: keyArn, KeyState: 'Enabled' });
  });

  it.each([
    [
      'another context',
      (blob: Uint8Array) => ({ CiphertextBlob: blob, EncryptionContext: { workspace: 'w2' } }),
    ],
    ['no context', (blob: Uint8Array) => ({ CiphertextBlob: blob })],
    [
      'a changed byte',
      (blob: Uint8Array) => ({ CiphertextBlob: blob.with(-1, (blob.at(-1) ?? 0) ^ 1), EncryptionContext }),
    ],
    ['another ciphertext', () => ({ CiphertextBlob: Buffer.from('nonsense') })],
  ])('does not decrypt with %s', async (_, change) => {
    const { CiphertextBlob } = await kms.send(
      new EncryptCommand({ KeyId: 'tokens', Plaintext, EncryptionContext }),
    );
    const command = new DecryptCommand(change(CiphertextBlob ?? new Uint8Array()));
    await expect(kms.send(command)).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  });

  it('refuses more than 4,096 bytes and an unknown key', async () => {
    const tooLong = new EncryptCommand({ KeyId: 'tokens', Plaintext: Buffer.alloc(4097) });
    await expect(kms.send(tooLong)).rejects.toMatchObject({ name: 'ValidationException' });
    const unknown = new EncryptCommand({ KeyId: 'other', Plaintext });
    await expect(kms.send(unknown)).rejects.toMatchObject({ name: 'NotFoundException' });
  });

  it('evaluates conditions on the encryption context', async () => {
    cloud.grant('tokens-reader', {
      Effect: 'Allow',
      Action: 'kms:*',
      Resource: keyArn,
      Condition: { StringEquals: { 'kms:EncryptionContext:workspace': 'w1' } },
    });
    const reader = new KMSClient(cloud.client('tokens-reader'));
    const encrypt = (context: Record<string, string>) =>
      reader.send(new EncryptCommand({ KeyId: 'tokens', Plaintext, EncryptionContext: context }));
    await expect(encrypt({ workspace: 'w1' })).resolves.toBeDefined();
    await expect(encrypt({ workspace: 'w2' })).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});

describe('SSM', () => {
  const get = async (Name: string, WithDecryption = false) =>
    (await ssm.send(new GetParameterCommand({ Name, WithDecryption }))).Parameter;

  it("returns the template's parameters, and secrets only with decryption", async () => {
    expect((await get('/herald/greeting'))?.Value).toBe('hello');
    expect((await get('/herald/platforms/one'))?.Value).not.toBe('a secret');
    expect((await get('/herald/platforms/one', true))?.Value).toBe('a secret');
  });

  it('returns several parameters, and names the missing ones', async () => {
    const output = await ssm.send(new GetParametersCommand({ Names: ['/herald/greeting', '/none'] }));
    expect(output.Parameters?.map(({ Name }) => Name)).toEqual(['/herald/greeting']);
    expect(output.InvalidParameters).toEqual(['/none']);
  });

  it('lists a path, one level or recursively', async () => {
    const names = async (Recursive: boolean) => {
      const output = await ssm.send(new GetParametersByPathCommand({ Path: '/herald', Recursive }));
      return output.Parameters?.map(({ Name }) => Name);
    };
    expect(await names(false)).toEqual(['/herald/greeting']);
    expect(await names(true)).toEqual(['/herald/greeting', '/herald/platforms/one']);
  });

  it("keeps a value that replaced the template's across a restart", async () => {
    const put = { Name: '/herald/greeting', Value: 'hi' };
    await expect(ssm.send(new PutParameterCommand(put))).rejects.toMatchObject({
      name: 'ParameterAlreadyExists',
    });
    await ssm.send(new PutParameterCommand({ ...put, Overwrite: true }));
    await cloud.restart();
    ssm = new SSMClient(cloud.client());
    expect(await get('/herald/greeting')).toMatchObject({ Value: 'hi', Version: 2, Type: 'String' });
  });

  it('refuses an unknown parameter and a value over 4 KB', async () => {
    await expect(get('/none')).rejects.toMatchObject({ name: 'ParameterNotFound' });
    const long = new PutParameterCommand({ Name: '/long', Type: 'String', Value: 'x'.repeat(4097) });
    await expect(ssm.send(long)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('throttles reads over the rate, all kinds of them together, and no writes', async () => {
    buckets.ssm.setRate({ perSecond: 0, burst: 2 });
    const throttled = { name: 'ThrottlingException', message: 'Rate exceeded' };
    const get = () => ssm.send(new GetParameterCommand({ Name: '/herald/greeting' }));
    await get();
    await ssm.send(new GetParametersByPathCommand({ Path: '/herald' }));
    await expect(get()).rejects.toMatchObject(throttled);
    await expect(ssm.send(new GetParametersCommand({ Names: ['/none'] }))).rejects.toMatchObject(throttled);
    await ssm.send(new PutParameterCommand({ Name: '/herald/new', Value: 'v', Type: 'String' }));
    buckets.ssm.setRate(undefined);
    await get();
  });
});
