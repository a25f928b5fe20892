import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Database, Item } from '../../support/database/database.ts';

/**
 * The next release, which is deployed while this one still runs. It differs in what every release may change: it calls a
 * step of a target's timeline by a new name, which this release cannot read, and stores a field that this release does not
 * know and must not remove.
 */
const newName = 'paused';
const formerName = 'waiting';
const newField = 'addedByNextRelease';

/** Returns the input of a write as a process of the next release makes it, given this release's. */
export function nextReleaseWrites(input: Item): Item {
  return rewrite(input, (item) => {
    const timeline = item[':timeline'] ?? item['timeline'];
    if (!Array.isArray(timeline)) return item;
    const renamed = timeline.map((entry) =>
      entry.event === formerName ? { ...entry, event: newName } : entry,
    );
    return item[':timeline']
      ? { ...item, ':timeline': renamed }
      : { ...item, timeline: renamed, [newField]: true };
  });
}

/** Returns the output of a read of the next release, as this release understands it. */
export function nextReleaseReads(output: Item): Item {
  return rewrite(output, (item) => {
    const { timeline } = item;
    if (!Array.isArray(timeline)) return item;
    return {
      ...item,
      timeline: timeline.map((entry) => (entry.event === newName ? { ...entry, event: formerName } : entry)),
    };
  });
}

/** The table's engine for somebody who understands the items of both releases. */
export const readAsNextRelease = ({ request }: Database): Database => ({
  request: async (operation, input) => nextReleaseReads(await request(operation, input)),
});

type Marshalled = Readonly<Record<string, AttributeValue>>;

const readable = <Image extends object>(item: Image | undefined): Image | undefined =>
  item &&
  (marshall(nextReleaseReads(unmarshall(item as Marshalled)), { removeUndefinedValues: true }) as Image);

/** The same for a record of the stream. */
export function nextReleaseReadsRecord({ dynamodb = {}, ...record }: DynamoDBRecord): DynamoDBRecord {
  const { OldImage, NewImage } = dynamodb;
  const images = {
    ...(OldImage && { OldImage: readable(OldImage) }),
    ...(NewImage && { NewImage: readable(NewImage) }),
  };
  return { ...record, dynamodb: { ...dynamodb, ...(images as typeof dynamodb) } };
}

/** The same for the items that an error of the table shows. */
export function nextReleaseReadsError(error: unknown): unknown {
  if (error instanceof ConditionalCheckFailedException && error.Item) {
    return Object.assign(error, { Item: readable(error.Item) });
  }
  if (error instanceof TransactionCanceledException && error.CancellationReasons) {
    const reasons = error.CancellationReasons.map((reason) =>
      reason.Item ? { ...reason, Item: readable(reason.Item) } : reason,
    );
    return Object.assign(error, { CancellationReasons: reasons });
  }
  return error;
}

/** Changes every object within a request or a response, from the inside out. */
function rewrite<Value>(value: Value, change: (item: Item) => Item): Value {
  if (Array.isArray(value)) return value.map((part) => rewrite(part, change)) as Value;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Set)
    return value;
  const entries = Object.entries(value).map(([name, part]) => [name, rewrite(part, change)]);
  return change(Object.fromEntries(entries)) as Value;
}
