import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { secondMs } from '../kernel/clock.ts';
import type { Item } from './items.ts';

/** A committed change of an item, as the table's stream tells it: the same however often it is told. */
export interface ItemChange {
  /** Absent for a new item. */
  readonly before: Readonly<Item> | undefined;
  /** Absent if it was deleted. */
  readonly after: Readonly<Item> | undefined;
  /** When it was committed, in epoch milliseconds. */
  readonly atMs: number;
  /** The stream's own number of the change. */
  readonly sequenceNumber: string;
}

/** A record of the stream, as Lambda hands it over: its types of values are others than the SDK's. */
interface StreamRecord {
  readonly OldImage?: unknown;
  readonly NewImage?: unknown;
  readonly ApproximateCreationDateTime?: number | undefined;
  readonly SequenceNumber?: string | undefined;
}

/** Reads a record of the table's stream. @throws Error if a value is of no known type */
export function itemChange(record: StreamRecord = {}): ItemChange {
  const { OldImage, NewImage, ApproximateCreationDateTime = 0, SequenceNumber = '' } = record;
  return {
    before: OldImage ? unmarshall(OldImage as Record<string, AttributeValue>) : undefined,
    after: NewImage ? unmarshall(NewImage as Record<string, AttributeValue>) : undefined,
    atMs: ApproximateCreationDateTime * secondMs,
    sequenceNumber: SequenceNumber,
  };
}
