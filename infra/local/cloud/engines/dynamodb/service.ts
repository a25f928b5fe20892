/** DynamoDB: checks the caller's rights for each request, then proxies it to the engine. */

import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { AwsError, accessDenied, requireAccess } from '../errors.ts';
import { jsonReply, parseJsonObject } from '../json-protocol.ts';
import type { BufferedService } from '../service.ts';
import { accessOf, type TablePlace } from './access.ts';
import type { EngineClient } from './engine-client.ts';

const targetPattern = /^(?:DynamoDB|DynamoDBStreams)_20120810\.(\w+)$/;

/** @param dependencies.onWrite called after a write with the names of the tables that it may have changed. */
export function createDynamodbService(dependencies: {
  readonly client: EngineClient;
  readonly place: TablePlace;
  readonly onWrite: (tableNames: readonly string[]) => void;
}): BufferedService {
  const { client, place, onWrite } = dependencies;
  return {
    maximumBodyBytes: 16 * 1024 * 1024,
    errorReply(error) {
      const type =
        error.code === accessDenied ? 'com.amazon.coral.service#AccessDeniedException' : typeOf(error);
      return jsonReply('1.0', error.code === accessDenied ? 400 : error.httpStatus, {
        __type: type,
        message: error.message,
      });
    },
    async handle(request, response) {
      const target = String(request.headers['x-amz-target'] ?? '');
      const operation = targetPattern.exec(target)?.[1] ?? '';
      const access = readAccess(operation, request.body, place);
      if (!access) {
        throw new AwsError(
          'UnknownOperationException',
          `The local cloud does not implement the operation ${target || '(none)'}.`,
        );
      }
      for (const needed of access.needed) requireAccess(request.caller, needed);
      const answer = await client.forward(target, request.headers['content-type'] ?? '', request.body);
      if (access.writes.length > 0) onWrite(access.writes);
      // The endpoint has set the date header. The engine does not know the movable clock.
      const { date: _date, ...headers } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, headers);
      await pipeline(answer, response);
      return undefined;
    },
  };
}

function readAccess(operation: string, body: Buffer, place: TablePlace) {
  try {
    return accessOf(operation, parseJsonObject(body), place);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new AwsError('ValidationException', error.issues[0]?.message ?? 'The request is not valid.');
  }
}

function typeOf({ code }: AwsError): string {
  const isCommon = ['ValidationException', 'SerializationException', 'UnknownOperationException'].includes(
    code,
  );
  return isCommon ? `com.amazon.coral.validate#${code}` : `com.amazonaws.dynamodb.v20120810#${code}`;
}
