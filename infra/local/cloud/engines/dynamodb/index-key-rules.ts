/**
 * Rules of AWS for the keys of indexes. The engine cannot apply them to a table that it holds without its indexes. Sources:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html for types,
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html for sizes and empty values. Pure.
 */

import { AwsError } from '../errors.ts';
import type { UpdateSyntax } from './expression-syntax.ts';
import type { AttributeValue, Item, Part, TableShape } from './request-parts.ts';

const partitionKeyBytes = 2_048;
const sortKeyBytes = 1_024;

/** A refusal that depends on the item: a transaction gives it as the reason of its part instead of refusing the request. */
export class InvalidIndexKey extends AwsError {
  constructor(message: string) {
    super('ValidationException', message);
  }
}

/**
 * Checks the values that a part gives to index keys. Values that an update copies from another attribute are not checked, nor are
 * the legacy `AttributeUpdates`.
 *
 * @param update the part's parsed update expression; absent if it has none
 * @throws InvalidIndexKey
 */
export function checkIndexKeys(
  { kind, request }: Part,
  shape: TableShape,
  update: UpdateSyntax | undefined,
): void {
  if (kind === 'Put' && request.Item) checkItem(request.Item, shape, putMessages);
  for (const { path, values } of update?.assigned ?? []) {
    for (const placeholder of values) {
      const value = request.ExpressionAttributeValues?.[placeholder];
      if (value) checkItem({ [path]: value }, shape, updateMessages);
    }
  }
}

/** The reason that a value cannot be the key of an index. */
export type IndexKeyProblem = 'type' | 'empty' | 'size';

/**
 * Returns the problem of a value as an index key; undefined if it is valid.
 *
 * @param position 0: partition key, 1: sort key
 */
export function problemOfIndexKey(
  value: AttributeValue,
  expectedType: string | undefined,
  position: number,
): IndexKeyProblem | undefined {
  const [type = ''] = Object.keys(value);
  if (expectedType !== undefined && type !== expectedType) return 'type';
  if (value[type] === '') return 'empty';
  return bytesOf(value) > limitOf(position) ? 'size' : undefined;
}

const limitOf = (position: number): number => (position === 0 ? partitionKeyBytes : sortKeyBytes);

interface InvalidKey {
  readonly name: string;
  readonly indexName: string;
  readonly expectedType: string;
  readonly type: string;
}

interface Messages {
  type(key: InvalidKey): string;
  empty(key: InvalidKey): string;
}

const putMessages: Messages = {
  type: ({ name, indexName, expectedType, type }) =>
    `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${expectedType} Actual: ${type} IndexName: ${indexName}`,
  empty: ({ name, indexName, type }) =>
    `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${wordOf(type)} value. IndexName: ${indexName}, IndexKey: ${name}`,
};
const updateMessages: Messages = {
  type: ({ name, indexName }) =>
    `The update expression attempted to update the secondary index key to unsupported type. IndexName: ${indexName}, IndexKey: ${name}`,
  empty: ({ type }) =>
    `One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty ${wordOf(type)} value.`,
};

const wordOf = (type: string): string => (type === 'B' ? 'binary' : 'string');

function checkItem(item: Item, { indexes, types }: TableShape, messages: Messages): void {
  for (const [indexName, { keyNames }] of indexes) {
    for (const [position, name] of keyNames.entries()) {
      const value = item[name];
      const problem = value && problemOfIndexKey(value, types.get(name), position);
      if (!problem) continue;
      if (problem === 'size') {
        const role = position === 0 ? 'hashkey' : 'rangekey';
        throw new InvalidIndexKey(
          `One or more parameter values were invalid: Size of ${role} has exceeded the maximum size limit of ${limitOf(position)} bytes. IndexName: ${indexName}, IndexKey: ${name}`,
        );
      }
      const [type = ''] = Object.keys(value);
      const key = { name, indexName, expectedType: types.get(name) ?? type, type };
      throw new InvalidIndexKey(messages[problem](key));
    }
  }
}

function bytesOf({ S, B }: AttributeValue): number {
  if (typeof S === 'string') return Buffer.byteLength(S);
  return typeof B === 'string' ? Buffer.byteLength(B, 'base64') : 0;
}
