/** Lets the engine write a BatchWriteItem in one commit. */

import type { EngineClient } from './engine-client.ts';

const prefix = 'DynamoDB_20120810';
/** The maximum number of items in a BatchWriteItem. A transaction may have more. */
const batchLimit = 25;

/**
 * Wraps a client so that it sends each BatchWriteItem as a transaction, because dynoxide commits every item of a batch by itself
 * (measured in `index-lag.ts`). If the engine refuses the transaction, nothing was written, and the batch is sent unchanged: it
 * is too large for a transaction, or it is invalid, and then the caller gets the engine's refusal of the batch.
 *
 * Not for a client that meters capacity: a transaction consumes twice as much.
 */
export function committingBatches(client: EngineClient): EngineClient {
  return {
    ...client,
    async forward(target, contentType, body, principalArn) {
      const send = (to: string, input: Buffer) => client.forward(to, contentType, input, principalArn);
      if (target !== `${prefix}.BatchWriteItem`) return send(target, body);
      const TransactItems = transactionParts(JSON.parse(body.toString('utf8')));
      if (!TransactItems) return send(target, body);
      const transaction = Buffer.from(JSON.stringify({ TransactItems }));
      const answer = await send(`${prefix}.TransactWriteItems`, transaction);
      if (answer.statusCode === 200) return answer;
      answer.resume();
      return send(target, body);
    },
  };
}

interface Batch {
  readonly RequestItems?: Readonly<
    Record<
      string,
      readonly {
        readonly PutRequest?: { readonly Item?: unknown };
        readonly DeleteRequest?: { readonly Key?: unknown };
      }[]
    >
  >;
}

/**
 * Takes only the item or key from each request: the rights were checked for the table that the batch names.
 *
 * @returns undefined for a batch that is certainly invalid
 */
function transactionParts({ RequestItems = {} }: Batch): object[] | undefined {
  const requests = Object.entries(RequestItems).flatMap(([TableName, each]) =>
    each.map(({ PutRequest, DeleteRequest }) => ({ TableName, PutRequest, DeleteRequest })),
  );
  const isInvalid = requests.some(
    ({ PutRequest, DeleteRequest }) => (PutRequest === undefined) === (DeleteRequest === undefined),
  );
  if (isInvalid || requests.length === 0 || requests.length > batchLimit) return undefined;
  return requests.map(({ TableName, PutRequest, DeleteRequest }) =>
    PutRequest
      ? { Put: { TableName, Item: PutRequest.Item } }
      : { Delete: { TableName, Key: DeleteRequest?.Key } },
  );
}
