import {
  parseCondition,
  parseProjection,
  parseUpdate,
} from '@herald/local-cloud/engines/dynamodb/expression-parser.ts';
import { topOf } from '@herald/local-cloud/engines/dynamodb/expression-syntax.ts';
import type { PartRequest } from '@herald/local-cloud/engines/dynamodb/request-parts.ts';
import { checkConditions, checkUpdate } from '@herald/local-cloud/engines/dynamodb/request-rules.ts';
import type { Item } from './database.ts';
import { refuse } from './errors.ts';
import { type Check, type Compiled, compileCondition, compileUpdate } from './expressions.ts';
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

/** The expressions of a request, ready to use. */
export interface Opened {
  readonly values: Item;
  holdsFor(item: Item): boolean;
  matchesKey(item: Item): boolean;
  passesFilter(item: Item): boolean;
  /** The item after the update. It shares memory with the item before. */
  updated(item: Item): Item;
  /** A copy of the attributes that are asked for. */
  projected(item: Item): Item;
  /** The top-level attributes that the update changes. */
  readonly changed: readonly string[];
  /** The top-level attributes that the filter reads. */
  readonly filtered: ReadonlySet<string>;
  /** The tests of the key condition, all of which must hold. */
  readonly keyTests: readonly KeyTest[];
}

/** A test such as `=` of the operands `pk` and `:partition`. */
export interface KeyTest {
  readonly operator: string;
  readonly operands: readonly string[];
}

/** @throws AwsError `ValidationException` as DynamoDB does, whatever the item is */
export function open(request: Expressions): Opened {
  const made = compiled(request);
  const { condition, keyCondition, filter, update, attributes, checks, used } = made;
  const values = copyOf(request.ExpressionAttributeValues ?? {});
  for (const name of used)
    if (values[name] === undefined) refuse(`Invalid expression: ${name} is not defined`);
  for (const name of Object.keys(values)) {
    if (!used.has(name))
      refuse(`Value provided in ExpressionAttributeValues unused in expressions: keys: {${name}}`);
  }
  for (const check of checks) check(values);
  const test = (expression: Compiled<boolean> | undefined) => (item: Item) =>
    expression === undefined || expression.evaluate({ item, values });
  return {
    values,
    holdsFor: test(condition),
    matchesKey: test(keyCondition),
    passesFilter: test(filter),
    updated: (item) => update?.evaluate({ item, values }) ?? item,
    projected: (item) => copyOf(attributes ? only(item, attributes) : item),
    changed: made.changed,
    filtered: made.filtered,
    keyTests: made.keyTests,
  };
}

/** These attributes of an item, as far as it has them. */
export function only(item: Item, attributes: readonly string[]): Item {
  const found = attributes.filter((name) => item[name] !== undefined);
  return Object.fromEntries(found.map((name) => [name, item[name]]));
}

interface CompiledRequest {
  readonly condition: Compiled<boolean> | undefined;
  readonly keyCondition: Compiled<boolean> | undefined;
  readonly filter: Compiled<boolean> | undefined;
  readonly update: Compiled<Item> | undefined;
  readonly attributes: readonly string[] | undefined;
  readonly checks: readonly Check[];
  /** The placeholders of values. */
  readonly used: ReadonlySet<string>;
  readonly changed: readonly string[];
  readonly filtered: ReadonlySet<string>;
  readonly keyTests: readonly KeyTest[];
}

const parameters = [
  'ConditionExpression',
  'UpdateExpression',
  'KeyConditionExpression',
  'FilterExpression',
  'ProjectionExpression',
] as const;

/** The service uses the same expressions again and again. */
const known = new Map<string, CompiledRequest>();
const mostKnown = 10_000;

function compiled(request: Expressions): CompiledRequest {
  const key = [
    ...parameters.map((parameter) => request[parameter] ?? ''),
    request.ExpressionAttributeNames ? JSON.stringify(request.ExpressionAttributeNames) : '',
  ].join('\n');
  const found = known.get(key);
  if (found) return found;
  const made = compile(request);
  if (known.size === mostKnown) known.clear();
  known.set(key, made);
  return made;
}

function compile(request: Expressions): CompiledRequest {
  const { ExpressionAttributeNames: names = {} } = request;
  const placeholders = new Set<string>();
  const read = <Tree>(
    parameter: (typeof parameters)[number],
    parse: (text: string) => { readonly tree: Tree; readonly placeholders: ReadonlySet<string> } | undefined,
  ): Tree | undefined => {
    const text = request[parameter];
    if (text === undefined) return undefined;
    const parsed = parse(text) ?? refuse(`Invalid ${parameter}: Syntax error; expression: ${text}`);
    for (const placeholder of parsed.placeholders) placeholders.add(placeholder);
    return parsed.tree;
  };
  const condition = read('ConditionExpression', parseCondition);
  const actions = read('UpdateExpression', parseUpdate);
  const keyCondition = read('KeyConditionExpression', parseCondition);
  const filter = read('FilterExpression', parseCondition);
  const paths = read('ProjectionExpression', parseProjection);
  checkNames(placeholders, names);
  const keyParts = keyCondition?.kind === 'AND' ? keyCondition.parts : keyCondition ? [keyCondition] : [];
  if (keyParts.some(({ kind }) => kind !== 'operation')) refuse('Query key condition not supported');

  const rules = request as unknown as PartRequest;
  const conditions = checkConditions(rules);
  const changes = checkUpdate(rules, undefined);
  const expressions = {
    condition: condition && compileCondition(condition, names),
    keyCondition: keyCondition && compileCondition(keyCondition, names),
    filter: filter && compileCondition(filter, names),
    update: actions && compileUpdate(actions, names),
  };
  return {
    ...expressions,
    attributes: paths?.map(({ steps: [name, ...rest] }) => {
      if (rest.length > 0)
        throw new Error(
          `the database in memory projects whole attributes only: ${request.ProjectionExpression}`,
        );
      return names[String(name)] ?? String(name);
    }),
    checks: Object.values(expressions).flatMap((each) => each?.checks ?? []),
    used: new Set([...placeholders].filter((name) => name.startsWith(':'))),
    changed: changes?.changed.map(topOf) ?? [],
    filtered: conditions.get('FilterExpression')?.attributes ?? new Set(),
    keyTests: conditions.get('KeyConditionExpression')?.operations ?? [],
  };
}

function checkNames(placeholders: ReadonlySet<string>, names: Readonly<Record<string, string>>): void {
  for (const name of placeholders) {
    if (name.startsWith('#') && names[name] === undefined)
      refuse(
        `Invalid expression: An expression attribute name used in the document path is not defined: ${name}`,
      );
  }
  for (const name of Object.keys(names)) {
    if (!placeholders.has(name))
      refuse(`Value provided in ExpressionAttributeNames unused in expressions: keys: {${name}}`);
  }
}
