import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { secondMs } from '../kernel/clock.ts';
import type { Item } from './items.ts';

/** A committed change of an item, from the table's stream. A record that is delivered again yields an equal change. */
export interface ItemChange {
  /** Absent for a new item. */
  readonly before: Readonly<Item> | undefined;
  /** Absent if the item was deleted. */
  readonly after: Readonly<Item> | undefined;
  /** The time of the commit, in epoch milliseconds. */
  readonly atMs: number;
  readonly sequenceNumber: string;
}

/** A stream record as Lambda passes it. Its attribute value types differ from the SDK's. */
interface StreamRecord {
  readonly OldImage?: unknown;
  readonly NewImage?: unknown;
  readonly ApproximateCreationDateTime?: number | undefined;
  readonly SequenceNumber?: string | undefined;
}

/** Reads a record of the table's stream. @throws Error if a value has an unknown type */
export function itemChange(record: StreamRecord = {}): ItemChange {
  const { OldImage, NewImage, ApproximateCreationDateTime = 0, SequenceNumber = '' } = record;
  return {
    before: OldImage ? unmarshall(OldImage as Record<string, AttributeValue>) : undefined,
    after: NewImage ? unmarshall(NewImage as Record<string, AttributeValue>) : undefined,
    atMs: ApproximateCreationDateTime * secondMs,
    sequenceNumber: SequenceNumber,
  };
}
