/** SSM Parameter Store: GetParameter, GetParameters, GetParametersByPath and PutParameter over awsJson 1.1. */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { AwsError, requireAccess } from '../errors.ts';
import { type JsonOperation, jsonService, operation } from '../json-protocol.ts';
import type { BufferedService } from '../service.ts';
import { createTokenBucket, type TokenBucket } from '../token-bucket.ts';
import type { Parameter, ParameterStore } from './parameter-store.ts';

export interface SsmDependencies {
  readonly region: string;
  readonly accountId: string;
  readonly store: ParameterStore;
  readonly clock: Clock;
  /** Limits the calls that read. Absent: without limit. */
  readonly bucket?: TokenBucket | undefined;
}

const parameterName = z.string().regex(/^[a-zA-Z0-9_.\-/]{1,1011}$/);
const withDecryption = z.boolean().default(false);
const getInput = z.object({ Name: z.string().min(1), WithDecryption: withDecryption });
const getManyInput = z.object({
  Names: z.array(z.string().min(1)).min(1).max(10),
  WithDecryption: withDecryption,
});
const byPathInput = z.object({
  Path: z.string().startsWith('/'),
  Recursive: z.boolean().default(false),
  WithDecryption: withDecryption,
  MaxResults: z.number().int().min(1).max(10).default(10),
  NextToken: z.string().optional(),
});
const putInput = z.object({
  Name: parameterName,
  Value: z
    .string()
    .min(1)
    .refine(
      (value) => Buffer.byteLength(value) <= 4096,
      'Standard tier parameters support a maximum parameter value of 4096 characters.',
    ),
  Type: z.enum(['String', 'StringList', 'SecureString']).optional(),
  Overwrite: z.boolean().default(false),
});

export function createSsmService(dependencies: SsmDependencies): BufferedService {
  return jsonService({
    operations: ssmOperations(dependencies),
    targetPrefix: 'AmazonSSM.',
    deniedType: 'AccessDeniedException',
  });
}

function ssmOperations({
  region,
  accountId,
  store,
  clock,
  bucket = createTokenBucket(),
}: SsmDependencies): Record<string, JsonOperation> {
  const arnOf = (name: string) => `arn:aws:ssm:${region}:${accountId}:parameter/${name.replace(/^\//, '')}`;

  function shown(parameter: Parameter, decrypted: boolean) {
    const isHidden = parameter.type === 'SecureString' && !decrypted;
    return {
      Name: parameter.name,
      Type: parameter.type,
      Value: isHidden ? sealed(parameter.value) : parameter.value,
      Version: parameter.version,
      ARN: arnOf(parameter.name),
      LastModifiedDate: parameter.modifiedAtMs / 1000,
      DataType: 'text',
    };
  }

  /** Limits an operation. The calls that read share one limit: https://docs.aws.amazon.com/general/latest/gr/ssm.html */
  function limited(run: JsonOperation): JsonOperation {
    return (input, request) => {
      if (!bucket.take()) throw new AwsError('ThrottlingException', 'Rate exceeded');
      return run(input, request);
    };
  }

  /** Returns a parameter's name, which may be given as an ARN. */
  const nameOf = (given: string) => given.replace(/^arn:[^:]+:ssm:[^:]*:[^:]*:parameter(?=\/)/, '');

  return {
    GetParameter: limited(
      operation(getInput, (input, { caller }) => {
        const name = nameOf(input.Name);
        requireAccess(caller, { action: 'ssm:GetParameter', resource: arnOf(name) });
        const parameter = store.get(name);
        if (!parameter) throw new AwsError('ParameterNotFound', `Parameter ${name} not found.`);
        return { Parameter: shown(parameter, input.WithDecryption) };
      }),
    ),
    GetParameters: limited(
      operation(getManyInput, (input, { caller }) => {
        const names = input.Names.map(nameOf);
        for (const name of names)
          requireAccess(caller, { action: 'ssm:GetParameters', resource: arnOf(name) });
        const found = names.flatMap((name) => store.get(name) ?? []);
        return {
          Parameters: found.map((parameter) => shown(parameter, input.WithDecryption)),
          InvalidParameters: names.filter((name) => !found.some((parameter) => parameter.name === name)),
        };
      }),
    ),
    GetParametersByPath: limited(
      operation(byPathInput, (input, { caller }) => {
        requireAccess(caller, { action: 'ssm:GetParametersByPath', resource: arnOf(input.Path) });
        const prefix = input.Path.endsWith('/') ? input.Path : `${input.Path}/`;
        const below = store
          .all()
          .filter(({ name }) => name.startsWith(prefix))
          .filter(({ name }) => input.Recursive || !name.slice(prefix.length).includes('/'))
          .filter(({ name }) => input.NextToken === undefined || name > input.NextToken);
        const page = below.slice(0, input.MaxResults);
        return {
          Parameters: page.map((parameter) => shown(parameter, input.WithDecryption)),
          ...(below.length > page.length && { NextToken: page.at(-1)?.name }),
        };
      }),
    ),
    PutParameter: operation(putInput, (input, { caller }) => {
      requireAccess(caller, { action: 'ssm:PutParameter', resource: arnOf(input.Name) });
      const present = store.get(input.Name);
      if (present && !input.Overwrite) {
        throw new AwsError(
          'ParameterAlreadyExists',
          'The parameter already exists. To overwrite this value, set the overwrite option in the request to true.',
        );
      }
      const type = input.Type ?? present?.type;
      if (type === undefined) {
        throw new AwsError(
          'ValidationException',
          'A parameter type is required when you create a parameter.',
        );
      }
      const version = (present?.version ?? 0) + 1;
      store.put({ name: input.Name, type, value: input.Value, version, modifiedAtMs: clock.now() });
      return { Version: version, Tier: 'Standard' };
    }),
  };
}

/** Stands in for the ciphertext of a SecureString: reveals nothing, and is the same each time. */
function sealed(value: string): string {
  return createHash('sha256').update(value).digest('base64');
}
