/** DynamoDB: checks the caller's rights and AWS's rules for each request, then proxies it to the engine. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { AwsError, accessDenied, requireAccess } from '../errors.ts';
import { jsonReply, parseJsonObject } from '../json-protocol.ts';
import type { BufferedService, ServiceReply, ServiceRequest } from '../service.ts';
import type { TokenBucket } from '../token-bucket.ts';
import { accessOf, type TablePlace } from './access.ts';
import { bodyOf, type EngineClient } from './engine-client.ts';
import { InvalidIndexKey } from './index-key-rules.ts';
import { type IndexCopy, isIndexCopy } from './index-lag.ts';
import { itemNameOf, nameOf, type Part, partsOf, shapeFinder, splitBatch } from './request-parts.ts';
import { checkPart } from './request-rules.ts';
import {
  type CancellationReason,
  createTransactionConflicts,
  TransactionCancelled,
} from './transaction-conflicts.ts';

const targetPattern = /^(?:DynamoDB|DynamoDBStreams)_20120810\.(\w+)$/;

export interface DynamodbServiceDependencies {
  readonly client: EngineClient;
  readonly place: TablePlace;
  /** Called after a write with the names of the tables that it may have changed. */
  readonly onWrite: (tableNames: readonly string[]) => void;
  /** Takes a token for each item. Absent: there is no limit. */
  readonly bucket?: TokenBucket | undefined;
  /** Returns the time for which a TransactWriteItems holds its items before it is committed, in milliseconds of real time. */
  readonly transactionHoldMs: () => number;
  /** Returns the copy of a table that serves its indexes; `undefined` if they have no lag, because the table has no stream. */
  readonly indexCopy: (tableName: string) => IndexCopy | undefined;
  /** True if the engine knows the consumption of a write: only if its tables have their indexes. */
  readonly metersCapacity: boolean;
}

const indexesOfTemplate =
  'GlobalSecondaryIndexUpdates: the local cloud has the indexes of the template; change them there.';
const unmetered =
  'ReturnConsumedCapacity: this local cloud was started without onConsumedCapacity, so it cannot say what a request consumes.';

export function createDynamodbService(dependencies: DynamodbServiceDependencies): BufferedService {
  const { client, place, onWrite, bucket, transactionHoldMs, indexCopy, metersCapacity } = dependencies;
  const conflicts = createTransactionConflicts();
  const shapeNamed = shapeFinder(place.tables);

  /**
   * Holds the items of a request while it runs.
   *
   * @param items the names of the items of its parts
   * @returns a function that releases them
   */
  async function hold(
    operation: string,
    input: Readonly<Record<string, unknown>>,
    items: readonly (string | undefined)[],
  ): Promise<() => void> {
    if (operation === 'TransactWriteItems') {
      const token = input['ClientRequestToken'];
      const release = conflicts.beginTransaction(items, typeof token === 'string' ? token : undefined);
      if (transactionHoldMs() > 0) await sleep(transactionHoldMs());
      return release;
    }
    if (operation === 'TransactGetItems') conflicts.requireUnwritten(items);
    const isWrite = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].includes(operation);
    return isWrite ? conflicts.beginWrite(items) : () => {};
  }

  /**
   * Checks that the request is supported.
   *
   * @throws AwsError for requests that only AWS, or a local cloud that meters capacity, can handle
   */
  function checkSupported(operation: string, input: Readonly<Record<string, unknown>>): void {
    const { ReturnConsumedCapacity = 'NONE', GlobalSecondaryIndexUpdates } = input;
    if (ReturnConsumedCapacity !== 'NONE' && !metersCapacity)
      throw new AwsError('ValidationException', unmetered);
    if (operation === 'UpdateTable' && GlobalSecondaryIndexUpdates !== undefined)
      throw new AwsError('ValidationException', indexesOfTemplate);
  }

  /** @throws AwsError if AWS would refuse the request; TransactionCancelled if only items of a transaction are the reason */
  function checkParts(operation: string, parts: readonly Part[]): void {
    const reasons = parts.map((part): CancellationReason => {
      try {
        checkPart(part, shapeNamed(part.request.TableName));
        return { Code: 'None' };
      } catch (error) {
        if (operation !== 'TransactWriteItems' || !(error instanceof InvalidIndexKey)) throw error;
        return { Code: 'ValidationError', Message: error.message };
      }
    });
    if (reasons.some(({ Code }) => Code !== 'None')) throw new TransactionCancelled(reasons);
  }

  /** Redirects reads of an index to its copy. */
  async function redirect(operation: string, parts: readonly Part[]): Promise<object | undefined> {
    const [{ request } = {}] = parts;
    const copy = request?.IndexName === undefined ? undefined : indexCopy(nameOf(request.TableName));
    if (!copy || !['Query', 'Scan'].includes(operation)) return undefined;
    await copy.catchUp();
    return { TableName: copy.name };
  }

  async function handle(
    request: ServiceRequest,
    response: ServerResponse,
  ): Promise<ServiceReply | undefined> {
    const target = String(request.headers['x-amz-target'] ?? '');
    const operation = targetPattern.exec(target)?.[1] ?? '';
    const input = parseJsonObject(request.body);
    const access = readAccess(operation, input, place);
    if (!access) {
      throw new AwsError(
        'UnknownOperationException',
        `The local cloud does not implement the operation ${target || '(none)'}.`,
      );
    }
    for (const needed of access.needed) requireAccess(request.caller, needed);
    const parts = partsOf(operation, input);
    checkSupported(operation, input);
    checkParts(operation, parts);

    const items = parts.map((part) => itemNameOf(part, shapeNamed));
    const admitted = takeCapacity(bucket, operation, parts.length);
    const isWithheld = (index: number) =>
      index >= admitted || (operation === 'BatchWriteItem' && conflicts.isHeld(items[index]));
    const split = items.some((_, index) => isWithheld(index)) ? splitBatch(input, isWithheld) : undefined;
    if (split && !split.input) return replyOf(200, handedBack(operation, {}, split.unprocessed));
    const release = await hold(
      operation,
      input,
      items.filter((_, index) => !isWithheld(index)),
    );
    let answer: IncomingMessage;
    try {
      const replaced = split?.input ?? (await redirect(operation, parts));
      const body = replaced ? Buffer.from(JSON.stringify({ ...input, ...replaced })) : request.body;
      const { principal } = request.caller;
      const principalArn = principal.kind === 'identity' ? principal.arn : undefined;
      answer = await client.forward(target, request.headers['content-type'] ?? '', body, principalArn);
    } finally {
      release();
    }
    if (access.writes.length > 0) onWrite(access.writes);
    if (split || operation === 'BatchWriteItem')
      return rewritten(answer, (output) => handedBack(operation, output, split?.unprocessed ?? {}));
    if (operation === 'ListTables') return rewritten(answer, withoutCopies);
    if (operation === 'DescribeTable') {
      const copy = indexCopy(nameOf(String(input['TableName'])));
      const describeCopy = async () => copy && client.call(target, { TableName: copy.name });
      return rewritten(answer, async (output) => withIndexesOf(output, await describeCopy()));
    }
    if (operation === 'TransactWriteItems' && answer.statusCode !== 200) return rewritten(answer, asInvalid);
    // The endpoint has set the date header. The engine does not know the movable clock.
    // The body is sent as a whole: a pipeline of streams costs more than all checks.
    const {
      date: _date,
      'transfer-encoding': _encoding,
      connection: _connection,
      ...headers
    } = answer.headers;
    const body = await bodyOf(answer);
    response.writeHead(answer.statusCode ?? 502, { ...headers, 'content-length': body.length }).end(body);
    return undefined;
  }

  return {
    maximumBodyBytes: 16 * 1024 * 1024,
    errorReply(error) {
      const status = error.code === accessDenied ? 400 : error.httpStatus;
      return jsonReply('1.0', status, {
        __type: typeOf(error),
        message: error.message,
        ...(error instanceof TransactionCancelled && { CancellationReasons: error.reasons }),
      });
    },
    handle,
  };
}

async function rewritten(
  answer: IncomingMessage,
  change: (output: Answer) => Answer | Promise<Answer>,
): Promise<ServiceReply> {
  const output: Answer = JSON.parse((await bodyOf(answer)).toString('utf8'));
  const status = answer.statusCode ?? 502;
  return replyOf(status, await change(output));
}

/**
 * The reasons `ValidationError` that AWS documents for TransactWriteItems depend on the items. A request that is invalid by
 * itself is refused as a whole, but the engines give it as a reason too.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
const itemErrors =
  /^(One or more parameter values|The update expression attempted|An operand in the update expression|Operands for|Item size|Number overflow|Type mismatch|Nesting Levels|The document path|The provided expression refers)/;

/** @throws AwsError `ValidationException` if a part is invalid by itself */
function asInvalid(output: Answer): Answer {
  const invalid = (output.CancellationReasons ?? []).find(
    ({ Code, Message = '' }) => Code === 'ValidationError' && !itemErrors.test(Message),
  );
  if (invalid) throw new AwsError('ValidationException', invalid.Message ?? '');
  return output;
}

function readAccess(operation: string, input: unknown, place: TablePlace) {
  try {
    return accessOf(operation, input, place);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new AwsError('ValidationException', error.issues[0]?.message ?? 'The request is not valid.');
  }
}

function typeOf({ code }: AwsError): string {
  if (code === accessDenied) return 'com.amazon.coral.service#AccessDeniedException';
  const isCommon = ['ValidationException', 'SerializationException', 'UnknownOperationException'].includes(
    code,
  );
  return isCommon ? `com.amazon.coral.validate#${code}` : `com.amazonaws.dynamodb.v20120810#${code}`;
}

/**
 * Refuses requests for which the token bucket has no tokens, as AWS documents it
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html and the API reference of
 * BatchWriteItem, BatchGetItem and TransactWriteItems). An item read or written takes one token; a query or scan takes one.
 *
 * @param parts the number of items that the request reads or writes
 * @returns the number of them that may be processed, from the first; fewer than all only for a batch
 * @throws AwsError `ProvisionedThroughputExceededException`; for a transaction TransactionCancelled, with reasons
 */
function takeCapacity(bucket: TokenBucket | undefined, operation: string, parts: number): number {
  if (!bucket || parts === 0) return parts;
  const taken = bucket.takeUpTo(parts);
  if (taken === parts) return parts;
  if (operation.startsWith('Transact')) {
    throw new TransactionCancelled(
      Array.from({ length: parts }, (_, index) =>
        index < taken
          ? { Code: 'None' }
          : {
              Code: 'ThrottlingError',
              Message:
                'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly.',
            },
      ),
    );
  }
  if (taken === 0) {
    throw new AwsError(
      'ProvisionedThroughputExceededException',
      'The level of configured provisioned throughput for the table was exceeded.',
    );
  }
  return taken;
}

interface Answer {
  readonly [member: string]: unknown;
  readonly CancellationReasons?: readonly { readonly Code?: string; readonly Message?: string }[];
}

/** Returns a reply with the checksum by which some SDKs verify DynamoDB's replies. */
function replyOf(httpStatus: number, output: Answer): ServiceReply {
  const reply = jsonReply('1.0', httpStatus, output);
  return { ...reply, headers: { ...reply.headers, 'x-amz-crc32': String(crc32(reply.body)) } };
}

type ByTable = Readonly<Record<string, unknown>>;

/** Adds the unprocessed parts to the answer of a batch. */
function handedBack(operation: string, output: Answer, unprocessed: ByTable): Answer {
  if (output['__type'] !== undefined) return output;
  const [name, results] =
    operation === 'BatchGetItem' ? ['UnprocessedKeys', { Responses: {} }] : ['UnprocessedItems', {}];
  return { ...results, ...output, [name]: { ...(output[name] as ByTable | undefined), ...unprocessed } };
}

/** Removes the copies of tables that serve lagging indexes from an answer. */
function withoutCopies(output: Answer): Answer {
  const names = output['TableNames'];
  return Array.isArray(names)
    ? { ...output, TableNames: names.filter((name) => !isIndexCopy(String(name))) }
    : output;
}

interface Description {
  readonly TableName?: string;
  readonly TableArn?: string;
  readonly AttributeDefinitions?: unknown;
  readonly GlobalSecondaryIndexes?: readonly { readonly IndexName?: string }[];
}

/**
 * Returns the description of a table that the engine may hold without its indexes.
 *
 * @param copied the description of its copy, which has them; `undefined` if it has no copy
 */
function withIndexesOf(output: Answer, copied: Answer | undefined): Answer {
  const table = output['Table'] as Description | undefined;
  const { AttributeDefinitions, GlobalSecondaryIndexes } = (copied?.['Table'] ?? {}) as Description;
  if (!table || !GlobalSecondaryIndexes) return output;
  const indexes = GlobalSecondaryIndexes.map((index) => ({
    ...index,
    IndexArn: `${table.TableArn}/index/${index.IndexName}`,
  }));
  return { ...output, Table: { ...table, AttributeDefinitions, GlobalSecondaryIndexes: indexes } };
}
