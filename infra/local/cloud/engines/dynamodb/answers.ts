/** Changes the engine's answers to those of AWS. */

import { crc32 } from 'node:zlib';
import { jsonReply } from '../json-protocol.ts';
import type { ServiceReply } from '../service.ts';
import { isIndexCopy } from './index-lag.ts';

export interface Answer {
  readonly [member: string]: unknown;
  readonly CancellationReasons?: readonly { readonly Code?: string; readonly Message?: string }[];
}

/** Returns a reply with the checksum by which some SDKs verify DynamoDB's replies. */
export function replyOf(httpStatus: number, output: Answer): ServiceReply {
  const reply = jsonReply('1.0', httpStatus, output);
  return { ...reply, headers: { ...reply.headers, 'x-amz-crc32': String(crc32(reply.body)) } };
}

type ByTable = Readonly<Record<string, unknown>>;

/** Adds the unprocessed parts to the answer of a batch. */
export function handedBack(operation: string, output: Answer, unprocessed: ByTable): Answer {
  if (output['__type'] !== undefined) return output;
  const [name, results] =
    operation === 'BatchGetItem' ? ['UnprocessedKeys', { Responses: {} }] : ['UnprocessedItems', {}];
  return { ...results, ...output, [name]: { ...(output[name] as ByTable | undefined), ...unprocessed } };
}

/** Removes the copies of tables that serve lagging indexes from an answer. */
export function withoutCopies(output: Answer): Answer {
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
export function withIndexesOf(output: Answer, copied: Answer | undefined): Answer {
  const table = output['Table'] as Description | undefined;
  const { AttributeDefinitions, GlobalSecondaryIndexes } = (copied?.['Table'] ?? {}) as Description;
  if (!table || !GlobalSecondaryIndexes) return output;
  const indexes = GlobalSecondaryIndexes.map((index) => ({
    ...index,
    IndexArn: `${table.TableArn}/index/${index.IndexName}`,
  }));
  return { ...output, Table: { ...table, AttributeDefinitions, GlobalSecondaryIndexes: indexes } };
}
