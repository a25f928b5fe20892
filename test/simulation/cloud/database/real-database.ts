import { text } from 'node:stream/consumers';
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { EngineClient } from '@herald/local-cloud/engines/dynamodb/engine-client.ts';
import type { EngineTable, Item } from '../engine-table.ts';

/** The database engine of the local cloud, to compare the simulated database with it. */
export function realDatabase(engine: Pick<EngineClient, 'forward'>): EngineTable {
  return {
    async request(operation, input) {
      const body = Buffer.from(JSON.stringify(encode(input), binaryAsText));
      const answer = await engine.forward(
        `DynamoDB_20120810.${operation}`,
        'application/x-amz-json-1.0',
        body,
      );
      const output: Item = JSON.parse(await text(answer), binaryFromText);
      if (answer.statusCode === 200) return decode(output);
      throw toException(output);
    },
  };
}

/** The protocol writes binary values in Base64. */
function binaryAsText(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const original = this[name];
  return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value;
}

const binaryFromText = (name: string, value: unknown): unknown =>
  name === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;

const marshallItem = (item: unknown) => marshall(item, { removeUndefinedValues: true });

/** The fields in which the document client takes plain values: https://docs.aws.amazon.com/AWSJavaScriptSDK/v3/latest/Package/-aws-sdk-lib-dynamodb/ */
const plainFields = new Set(['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey']);

function encode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (plainFields.has(name) && part !== undefined) return [name, marshallItem(part)];
      if (name === 'Keys' && Array.isArray(part)) return [name, part.map(marshallItem)];
      return [name, encode(part)];
    }),
  );
}

function decode(output: Item): Item {
  const decoded = { ...output };
  for (const name of ['Item', 'Attributes', 'LastEvaluatedKey']) {
    if (output[name]) decoded[name] = unmarshallItem(output[name]);
  }
  if (Array.isArray(output['Items'])) decoded['Items'] = output['Items'].map(unmarshallItem);
  const responses = output['Responses'];
  if (Array.isArray(responses)) return { ...decoded, Responses: responses.map(decode) };
  if (typeof responses === 'object' && responses !== null) {
    decoded['Responses'] = Object.fromEntries(
      Object.entries(responses).map(([table, items]) => [table, items.map(unmarshallItem)]),
    );
  }
  return decoded;
}

const unmarshallItem = (item: unknown) => unmarshall(item as Parameters<typeof unmarshall>[0]);

/** Converts an error. Like the document client, leaves items inside errors marshalled. */
function toException(output: Item): Error {
  const code = String(output['__type']).split('#').at(-1) ?? '';
  const message = String(output['message'] ?? output['Message'] ?? '');
  const details = { message, $metadata: {} };
  if (code === 'ConditionalCheckFailedException') {
    const Item = output['Item'] as ConditionalCheckFailedException['Item'];
    return new ConditionalCheckFailedException({ ...details, ...(Item && { Item }) });
  }
  if (code === 'TransactionCanceledException') {
    const reasons = output['CancellationReasons'] as TransactionCanceledException['CancellationReasons'];
    return new TransactionCanceledException({ ...details, ...(reasons && { CancellationReasons: reasons }) });
  }
  return new Error(`${code}: ${message}`);
}
