import { byteLength } from '@herald/local-cloud/engines/dynamodb/metering.ts';
import type { ConsumedCapacity } from '@herald/local-cloud/engines/types.ts';
import { indexes } from '../../../lib/table/schema.ts';

/**
 * Features that add work to a post: each has its own line and budget. All the rest is the engine: the post, its targets, their
 * calendar, the index of what is overdue, roll-ups, claims of live posts, leases, relay, workers and messages.
 */
export const features = {
  audit: 'audit log',
  punctuality: 'count of punctuality',
  rates: 'rate limits',
  listsByTime: 'lists by time (index)',
  pauses: 'pauses',
  places: 'places of a daily limit',
  webhooks: 'webhooks (function `announce`)',
  search: 'search (index of words)',
  retention: 'retention of posts',
  logs: 'logs',
} as const;
export type Feature = keyof typeof features;
export type Purpose = Feature | 'engine';

/** The part of a request's units that one kind of item consumed. */
export interface Share {
  readonly purpose: Purpose;
  /** The kind of item and, for a step of a target, the step; the name of an index. */
  readonly item: string;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** The function that announces changes, and indexes words for the search. Other functions work for the engine. */
export const announcer = 'announce';

/** The features whose items have partitions of their own, by the prefix of the partition key. */
const featurePartitions: Readonly<Record<string, Feature>> = {
  AUDIT: 'audit',
  PUNCTUALITY: 'punctuality',
  RATE: 'rates',
  PAUSE: 'pauses',
  'APP-DAY': 'places',
};

/**
 * Divides the units of a request among the items that it reads or writes. DynamoDB reports them for a whole request and for
 * each index. A feature's items count by their size in the request, or one unit if they are not in it: all of them are
 * smaller than a unit. The engine's items have the rest.
 */
export function sharesOf(consumed: ConsumedCapacity, functionName: string): readonly Share[] {
  const { action, input, readUnits, writeUnits, byIndex } = consumed;
  const inIndexes = Object.entries(byIndex).map(([name, units]): Share => {
    const purpose = name === indexes.postsByTime.indexName ? 'listsByTime' : 'engine';
    return { purpose, item: `index ${name}`, ...unitsOf(consumed, units) };
  });
  const touched = touchedItems(action, input);
  const ofFeatures = touched.flatMap(({ key, size }): Share[] => {
    const purpose = featurePartitions[partitionKind(key)];
    if (purpose === undefined) return [];
    const units = Math.max(1, Math.ceil(size / 1_024)) * (action === 'TransactWriteItems' ? 2 : 1);
    return [{ purpose, item: partitionKind(key), ...unitsOf(consumed, units) }];
  });
  const known = [...inIndexes, ...ofFeatures];
  const left = (of: 'readUnits' | 'writeUnits', total: number) =>
    known.reduce((rest, share) => rest - share[of], total);
  const others = [
    ...new Set(touched.filter(({ key }) => !featurePartitions[partitionKind(key)]).map(nameOf)),
  ];
  const rest: Share = {
    purpose: purposeOfRest(functionName, consumed),
    item: others.join(' + '),
    readUnits: left('readUnits', readUnits),
    writeUnits: left('writeUnits', writeUnits),
  };
  return [...known, rest].filter((share) => share.readUnits > 0 || share.writeUnits > 0);
}

/** A partition that `announce` uses for the search only. */
const ofSearch = /"(SEARCH|WORDS|POST)#/;

/**
 * The relay reads and checks single targets, in a transaction, for their places only. A roll-up lets targets and records of live
 * posts expire by updates of their own; the post's has a version.
 */
function purposeOfRest(functionName: string, { action, input }: ConsumedCapacity): Purpose {
  if (functionName === announcer) return ofSearch.test(JSON.stringify(input)) ? 'search' : 'webhooks';
  const { ExpressionAttributeValues: values = {} } = input as Request;
  if (action === 'UpdateItem' && ':expiresAtSeconds' in values && !(':version' in values)) return 'retention';
  const isForPlaces = functionName === 'relay' && ['GetItem', 'TransactWriteItems'].includes(action);
  return isForPlaces ? 'places' : 'engine';
}

const unitsOf = ({ readUnits }: ConsumedCapacity, units: number) =>
  readUnits > 0 ? { readUnits: units, writeUnits: 0 } : { readUnits: 0, writeUnits: units };

/** A value in DynamoDB's JSON. */
interface Value {
  readonly S?: string;
  readonly L?: readonly Value[];
  readonly M?: Readonly<Record<string, Value>>;
}
type Values = Readonly<Record<string, Value>>;

/** The parts of a request that are read here. */
interface Request {
  readonly Key?: Values;
  readonly Item?: Values;
  readonly Keys?: readonly Values[];
  readonly ExpressionAttributeValues?: Values;
}

interface TouchedItem {
  readonly key: Values;
  /** In bytes; 0 if the request does not have the whole item. */
  readonly size: number;
  /** The last step that the request writes into a target's timeline. */
  readonly step: string | undefined;
}

function touchedItems(action: string, input: ConsumedCapacity['input']): readonly TouchedItem[] {
  const parts = input['TransactItems'] as readonly Readonly<Record<string, Request>>[] | undefined;
  if (parts) return parts.flatMap((part) => Object.values(part)).flatMap(itemsOf);
  if (action === 'BatchGetItem')
    return Object.values(input['RequestItems'] as Readonly<Record<string, Request>>).flatMap(itemsOf);
  return itemsOf(input as Request);
}

function itemsOf({ Key, Item, Keys, ExpressionAttributeValues: values = {} }: Request): TouchedItem[] {
  const step = values[':timeline']?.L?.at(-1)?.M?.['event']?.S;
  const partition = values[':partition'];
  if (Keys) return Keys.map((key) => ({ key, size: 0, step: undefined }));
  if (Item) return [{ key: Item, size: byteLength(Item), step: 'new' }];
  if (Key) return [{ key: Key, size: 0, step }];
  return partition ? [{ key: { pk: partition }, size: 0, step: 'all' }] : [];
}

/** Returns the kind of the partition of a request, of the first one if it has several. */
export const partitionOf = ({ action, input }: ConsumedCapacity): string =>
  partitionKind(touchedItems(action, input)[0]?.key ?? {});

const partitionKind = ({ pk }: Values): string => pk?.S?.split('#')[0] ?? '';

function nameOf({ key, step }: TouchedItem): string {
  const { sk } = key;
  const kind = sk?.S === undefined || /^\d/.test(sk.S) ? partitionKind(key) : (sk.S.split('#')[0] ?? '');
  return step === undefined ? kind : `${kind} (${step})`;
}
