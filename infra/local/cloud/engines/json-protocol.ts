/** AWS's JSON protocols (awsJson 1.0 and 1.1): one URL, the operation in a header, its input as JSON. */

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AwsError, accessDenied } from './errors.ts';
import type { BufferedService, ServiceReply, ServiceRequest } from './service.ts';

export type JsonOperation = (input: unknown, request: ServiceRequest) => unknown;

/** Creates an operation that validates its input with the schema. */
export function operation<Input>(
  schema: z.ZodType<Input>,
  run: (input: Input, request: ServiceRequest) => unknown,
): JsonOperation {
  return (input, request) => run(schema.parse(input), request);
}

/**
 * Creates an awsJson 1.1 service with small requests.
 *
 * @param options.targetPrefix the prefix of `X-Amz-Target`, including the dot.
 * @param options.deniedType the type of the error for missing rights.
 */
export function jsonService(options: {
  readonly operations: Readonly<Record<string, JsonOperation>>;
  readonly targetPrefix: string;
  readonly deniedType: string;
}): BufferedService {
  const { operations, targetPrefix, deniedType } = options;
  return {
    maximumBodyBytes: 64 * 1024,
    errorReply({ code, httpStatus, message }) {
      const isRefusal = code === accessDenied;
      return jsonReply('1.1', isRefusal ? 400 : httpStatus, {
        __type: isRefusal ? deniedType : code,
        message,
      });
    },
    async handle(request) {
      return jsonReply(
        '1.1',
        200,
        await runOperation(operations, targetPrefix, 'ValidationException', request),
      );
    },
  };
}

/**
 * Runs the operation that `X-Amz-Target` names.
 *
 * @throws AwsError for an unknown operation, a body that is not a JSON object, or an invalid input.
 */
export async function runOperation(
  operations: Readonly<Record<string, JsonOperation>>,
  targetPrefix: string,
  validationCode: string,
  request: ServiceRequest,
): Promise<unknown> {
  const target = String(request.headers['x-amz-target'] ?? '');
  const name = target.startsWith(targetPrefix) ? target.slice(targetPrefix.length) : '';
  const run = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (run === undefined) {
    throw new AwsError(
      'UnknownOperationException',
      `The local cloud does not implement the operation ${target || '(none)'}.`,
    );
  }
  try {
    return await run(parseJsonObject(request.body), request);
  } catch (error) {
    throw error instanceof z.ZodError ? invalidInput(validationCode, error) : error;
  }
}

/**
 * Parses a JSON object. An empty body counts as `{}`. @throws AwsError `SerializationException` unless the body is a JSON object.
 */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body.length === 0 ? '{}' : body.toString('utf8'));
  } catch {
    throw new AwsError('SerializationException', 'The body is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AwsError('SerializationException', 'The body is not a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** Returns the first issue of a failed validation, in AWS's wording. */
export function invalidInput(code: string, error: z.ZodError): AwsError {
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  return new AwsError(
    code,
    `1 validation error detected: Value at '${path}' failed to satisfy constraint: ${issue?.message ?? 'invalid'}`,
  );
}

export function jsonReply(
  version: '1.0' | '1.1',
  httpStatus: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceReply {
  const own = { 'content-type': `application/x-amz-json-${version}`, 'x-amzn-requestid': randomUUID() };
  return { httpStatus, headers: { ...own, ...headers }, body: JSON.stringify(body) };
}
