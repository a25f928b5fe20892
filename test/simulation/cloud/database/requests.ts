import type { Item } from '../engine-table.ts';
import {
  type Assignment,
  type Parsed,
  parseCondition,
  parseProjection,
  parseUpdate,
  valueAt,
} from './expressions.ts';
import { copyOf } from './values.ts';

/** The members of a request, or of a part of a transaction, that hold expressions and their placeholders. */
export interface Expressions {
  readonly ConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly KeyConditionExpression?: string | undefined;
  readonly FilterExpression?: string | undefined;
  readonly ProjectionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

const parsers = {
  ConditionExpression: parseCondition,
  UpdateExpression: parseUpdate,
  KeyConditionExpression: parseCondition,
  FilterExpression: parseCondition,
  ProjectionExpression: parseProjection,
} as const;

/**
 * The expressions of a request, ready to use.
 *
 * @throws Error as DynamoDB does if a placeholder is missing or not used
 */
export function open(request: Expressions) {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues = {} } = request;
  const values = copyOf(ExpressionAttributeValues);
  checkPlaceholders(request, { ...names, ...values });
  const on = (item: Item) => ({ item, names, values });
  const test = (text: string | undefined) => (item: Item) =>
    text === undefined || parseCondition(text).evaluate(on(item));
  return {
    holdsFor: test(request.ConditionExpression),
    matchesKey: test(request.KeyConditionExpression),
    passesFilter: test(request.FilterExpression),
    /** The item after the update. */
    updated(item: Item): Item {
      const { UpdateExpression = '' } = request;
      const assignments = parseUpdate(UpdateExpression).evaluate(on(item));
      const result = copyOf(item);
      for (const assignment of assignments) assign(result, assignment);
      return result;
    },
    projected(item: Item): Item {
      const { ProjectionExpression: text } = request;
      if (text === undefined) return copyOf(item);
      const result: Item = {};
      for (const path of parseProjection(text).evaluate(on(item))) {
        const [name] = path;
        if (path.length !== 1 || name === undefined)
          throw new Error(`the simulated table cannot project ${text}`);
        const value = valueAt(item, path);
        if (value !== undefined) result[name] = copyOf(value);
      }
      return result;
    },
  };
}

function assign(item: Item, { path, value }: Assignment): void {
  const last = path.at(-1);
  const parent = valueAt(item, path.slice(0, -1));
  if (last === undefined || typeof parent !== 'object' || parent === null)
    throw new Error('ValidationException: the path of the update is not valid for the item');
  if (last === 'pk' || last === 'sk') throw new Error(`ValidationException: ${last} is part of the key`);
  const members = parent as Record<string | number, unknown>;
  if (value === undefined) delete members[last];
  else members[last] = copyOf(value);
}

function checkPlaceholders(request: Expressions, given: Item): void {
  const used = new Set<string>();
  for (const [member, parse] of Object.entries(parsers)) {
    const text = request[member as keyof typeof parsers];
    if (text === undefined) continue;
    const { placeholders }: Parsed<unknown> = parse(text);
    for (const name of placeholders) used.add(name);
  }
  for (const name of used)
    if (given[name] === undefined) throw new Error(`ValidationException: ${name} is not defined`);
  for (const name of Object.keys(given))
    if (!used.has(name)) throw new Error(`ValidationException: ${name} is not used in any expression`);
}
