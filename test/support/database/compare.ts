import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, inject } from 'vitest';
import { runSeed } from '../../simulation/simulate.ts';
import { tableDefinition } from '../table-definition.ts';
import type { Database, Item } from './database.ts';
import { openEngine } from './engine.ts';
import { createMemoryDatabase } from './memory.ts';
import { inputFor, type RandomRequest, randomRequests } from './random-requests.ts';

export interface Outcome {
  readonly output?: Item;
  readonly error?: unknown;
}

async function outcomeOf(database: Database, operation: string, input: Item): Promise<Outcome> {
  try {
    return { output: await database.request(operation, input) };
  } catch (error) {
    return { error };
  }
}

/** The parts of an outcome that the service can see. Batches have no order, and error texts are for people. */
function seen({ output, error }: Outcome) {
  if (error !== undefined) {
    const { name, Item: item, CancellationReasons: reasons } = error as Error & Item;
    const codes = (reasons as readonly Item[] | undefined)?.map(({ Code, Item }) => ({
      Code,
      Item: plain(Item),
    }));
    return { name, item: plain(item), codes };
  }
  // The engine's `ScannedCount` includes an item that a page has no room for.
  const {
    Item: item,
    Items: items,
    Attributes,
    Count,
    LastEvaluatedKey,
    Responses,
    UnprocessedKeys,
  } = output ?? {};
  const responses = sorted(Responses);
  return { item, items, Attributes, Count, LastEvaluatedKey, responses, UnprocessedKeys };
}

/** The document client leaves items inside errors marshalled, in which sets have an order. */
const plain = (item: unknown) => item && unmarshall(item as Parameters<typeof unmarshall>[0]);

function sorted(responses: unknown): unknown {
  if (typeof responses !== 'object' || responses === null || Array.isArray(responses)) return responses;
  const nameOf = ({ pk, sk }: Item) => `${pk} ${sk}`;
  return Object.values(responses as Record<string, Item[]>).map((items) =>
    items.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)),
  );
}

/** Expects the same outcome of a request from the database in memory as from the real engine. */
export async function compareOn(
  { memory, engine }: Databases,
  operation: string,
  input: Item,
): Promise<Outcome> {
  const outcome = await outcomeOf(memory, operation, input);
  if (isStricterThanEngine(operation, outcome.error)) return outcome;
  const expected = await outcomeOf(engine, operation, input);
  if (isInvalid(outcome.error) && isInvalid(expected.error)) return outcome;
  expect(
    seen(outcome),
    `${operation} ${textOf(input)}\n${textOf(outcome.error)} ${textOf(expected.error)}`,
  ).toEqual(seen(expected));
  return outcome;
}

const textOf = (value: unknown): string =>
  value instanceof Error
    ? `${value}`
    : (JSON.stringify(value, (_, part) => (part instanceof Set ? [...part] : part)) ?? '');

/** Rules of AWS that the engine does not enforce. They have tests of their own. */
const stricterRules =
  /must be distinct|operator or function: [<>]|does not project|paths overlap|part of the key/;
/** Rules that it enforces neither in transactions nor in filters. */
const rulesOfConditions = /Incorrect operand type|BETWEEN/;

function isStricterThanEngine(operation: string, error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'ValidationException') return false;
  if (stricterRules.test(error.message)) return true;
  return ['TransactWriteItems', 'Query'].includes(operation) && rulesOfConditions.test(error.message);
}

/**
 * True if a request is invalid, as a whole or in the reason of a part. The engine gives some problems as reasons that make the
 * whole request invalid at AWS, and the other way round for empty keys of indexes. AWS documents only reasons that depend on
 * stored items: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
function isInvalid(error: unknown): boolean {
  if (error instanceof TransactionCanceledException)
    return (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ValidationError');
  return (
    error instanceof Error &&
    ['ValidationException', 'IdempotentParameterMismatchException'].includes(error.name)
  );
}

/** The two databases that must not differ. */
export interface Databases {
  readonly memory: Database;
  readonly engine: Database;
}

export const openDatabases = (): Databases => ({
  memory: createMemoryDatabase(),
  engine: openEngine(inject('databaseEndpoint')),
});

/** Creates the same empty table in both. @returns its name */
export async function createTables({ memory, engine }: Databases): Promise<string> {
  const name = `compared-${randomUUID()}`;
  for (const database of [memory, engine]) await database.request('CreateTable', tableDefinition(name));
  return name;
}

/** Expects the same outcomes of everything that a seed of the simulation asks the table. */
export async function compareOnSeed(databases: Databases, seed: number): Promise<void> {
  let count = 0;
  const both: Database = {
    async request(operation, input) {
      count += 1;
      const { output, error } = await compareOn(databases, operation, input);
      if (output) return output;
      throw error;
    },
  };
  await runSeed(seed, { database: both, tableName: `seed-${seed}-${randomUUID()}` });
  expect(count).toBeGreaterThan(30);
}

/** Expects the same outcomes of random requests. */
export async function compareOnRandomRequests(
  databases: Databases,
  options: { readonly seed: number; readonly numRuns: number },
): Promise<void> {
  let compared = 0;
  const property = fc.asyncProperty(randomRequests('{run}'), async (requests) => {
    const table = await createTables(databases);
    for (const request of requests) compared += await compareRequest(databases, table, request);
    const Keys = ['1', '2', '3', 'ä'].map((sk) => ({ pk: 'p', sk }));
    await compareOn(databases, 'BatchGetItem', { RequestItems: { [table]: { Keys } } });
    for (const database of [databases.memory, databases.engine])
      await database.request('DeleteTable', { TableName: table });
  });
  await fc.assert(property, options);
  // Random requests of which most are refused prove little.
  expect(compared).toBeGreaterThan(5 * options.numRuns);
}

/** @returns how many pages or responses without an error were compared */
async function compareRequest(databases: Databases, table: string, request: RandomRequest): Promise<number> {
  const input = inputFor(table, request);
  const token = input['ClientRequestToken'];
  const run = table.slice(-8);
  const whole = {
    ...input,
    ...(typeof token === 'string' && { ClientRequestToken: token.replace('{run}', run) }),
  };
  let count = 0;
  for (let start: unknown; ; ) {
    const page = { ...whole, ...(start !== undefined && { ExclusiveStartKey: start }) };
    const { output } = await compareOn(databases, request.operation, page);
    if (output) count += 1;
    start = output?.['LastEvaluatedKey'];
    if (!request.readsAllPages || start === undefined) return count;
  }
}
