import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

const path = join(import.meta.dirname, '../../infra/deployment-functions/secret-digest.js');
const code = readFileSync(path, 'utf8');

/** Runs the function as Lambda does. @returns what it answers CloudFormation, and the secrets that it has read */
async function run(RequestType: 'Create' | 'Update' | 'Delete', secret?: string) {
  const answers: Record<string, unknown>[] = [];
  const read: string[] = [];
  class GetSecretValueCommand {
    readonly input: { readonly SecretId: string };
    constructor(input: { readonly SecretId: string }) {
      this.input = input;
    }
  }
  class SecretsManagerClient {
    async send({ input }: GetSecretValueCommand) {
      read.push(input.SecretId);
      if (secret === undefined) throw Object.assign(new Error('a secret text'), { name: 'AccessDenied' });
      return { SecretString: secret };
    }
  }
  const exports: { handler?: (event: object) => Promise<void> } = {};
  const own = createRequire(import.meta.url);
  runInNewContext(code, {
    exports,
    require: (name: string) =>
      name === '@aws-sdk/client-secrets-manager'
        ? { GetSecretValueCommand, SecretsManagerClient }
        : own(name),
    fetch: async (url: string, { method, body }: { method: string; body: string }) =>
      answers.push({ url, method, ...JSON.parse(body) }),
  });
  await exports.handler?.({
    RequestType,
    ResponseURL: 'https://cloudformation.example.com/answer',
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'Digest',
    ResourceProperties: { SecretArn: 'arn:of:the:secret' },
  });
  return { answers, read };
}

const answer = {
  url: 'https://cloudformation.example.com/answer',
  method: 'PUT',
  StackId: 'stack',
  RequestId: 'request',
  LogicalResourceId: 'Digest',
  PhysicalResourceId: 'arn:of:the:secret',
};

it.each(['Create', 'Update'] as const)(
  '%s answers with the digest of the secret, and not with the secret',
  async (type) => {
    const { answers } = await run(type, 'the-secret');
    const Digest = createHash('sha256').update('the-secret').digest('hex');
    expect(answers).toEqual([{ ...answer, Status: 'SUCCESS', Data: { Digest } }]);
  },
);

it('reads nothing when it is deleted: the secret may be gone', async () => {
  const { answers, read } = await run('Delete');
  expect([answers, read]).toEqual([[{ ...answer, Status: 'SUCCESS', Data: {} }], []]);
});

it('says why a deployment fails, without text that may contain the secret', async () => {
  const { answers } = await run('Create');
  const Reason = 'the digest of the secret is not known: AccessDenied';
  expect(answers).toEqual([{ ...answer, Status: 'FAILED', Reason }]);
});

it('fits into a template', () => {
  expect(code.length).toBeLessThan(4_096);
});
