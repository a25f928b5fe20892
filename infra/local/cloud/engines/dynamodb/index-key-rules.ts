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

/** Depends on the item: a transaction gives it as the reason of its part instead of refusing the request. */
export class InvalidIndexKey extends AwsError {
  constructor(message: string) {
    super('ValidationException', message);
  }
}

/**
 * An index key that an update copies from another attribute is not checked.
 *
 * @param update what the part's update expression says; absent if it has none
 * @throws InvalidIndexKey
 */
export function checkIndexKeys(
  { kind, request }: Part,
  shape: TableShape,
  update: UpdateSyntax | undefined,
): void {
  if (kind === 'Put' && request.Item) checkItem(request.Item, shape, putMessages);
  for (const { path, tokens } of update?.assigned ?? []) {
    for (const token of tokens) {
      const value = request.ExpressionAttributeValues?.[token];
      if (value) checkItem({ [path]: value }, shape, updateMessages);
    }
  }
}

interface Messages {
  type(expected: string, actual: string, place: string): string;
  empty(place: string): string;
}

const putMessages: Messages = {
  type: (expected, actual, place) =>
    `One or more parameter values were invalid: Type mismatch for Index Key Expected: ${expected} Actual: ${actual} ${place}`,
  empty: (place) =>
    `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. ${place}`,
};
const updateMessages: Messages = {
  type: (_expected, _actual, place) =>
    `The update expression attempted to update the secondary index key to unsupported type. ${place}`,
  empty: () =>
    'One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.',
};

function checkItem(item: Item, { indexes, types }: TableShape, messages: Messages): void {
  for (const [indexName, { keyNames }] of indexes) {
    for (const [position, name] of keyNames.entries()) {
      const value = item[name];
      if (!value) continue;
      const place = `IndexName: ${indexName}, IndexKey: ${name}`;
      const [actual = ''] = Object.keys(value);
      const expected = types.get(name) ?? actual;
      if (actual !== expected) throw new InvalidIndexKey(messages.type(expected, actual, place));
      if (value[actual] === '') throw new InvalidIndexKey(messages.empty(place));
      const limit = position === 0 ? partitionKeyBytes : sortKeyBytes;
      if (bytesOf(value) <= limit) continue;
      const role = position === 0 ? 'hashkey' : 'rangekey';
      throw new InvalidIndexKey(
        `One or more parameter values were invalid: Size of ${role} has exceeded the maximum size limit of ${limit} bytes. ${place}`,
      );
    }
  }
}

function bytesOf({ S, B }: AttributeValue): number {
  if (typeof S === 'string') return Buffer.byteLength(S);
  return typeof B === 'string' ? Buffer.byteLength(B, 'base64') : 0;
}
