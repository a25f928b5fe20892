/**
 * Rules of AWS for requests that the engines do not enforce. Sources:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html for sets,
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html for projections,
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html for start keys,
 * "Expression parameters" in https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html for
 * expressions, and the same guide's pages on condition and update expressions. Pure.
 */

import { AwsError } from '../errors.ts';
import {
  type ConditionSyntax,
  type Operation,
  readCondition,
  readUpdate,
  topOf,
} from './expression-syntax.ts';
import { checkIndexKeys } from './index-key-rules.ts';
import type { AttributeValue, IndexShape, Item, Part, PartRequest, TableShape } from './request-parts.ts';

/** @throws AwsError `ValidationException` if AWS would refuse the part; InvalidIndexKey if only its item is the reason */
export function checkPart(part: Part, shape: TableShape | undefined): void {
  const { kind, request } = part;
  checkValues(request);
  const conditions = checkConditions(request);
  const update = checkUpdate(request, shape);
  if (!shape) return;
  checkIndexKeys(part, shape, update);
  if (kind === 'Query' || kind === 'Scan') checkIndexRead(kind, request, shape, conditions);
}

/** Checks that sets have no empty members, at any depth. */
function checkValues({ Item, Key, ExpressionAttributeValues, ExclusiveStartKey }: PartRequest): void {
  for (const value of [Item, Key, ExpressionAttributeValues, ExclusiveStartKey]) {
    for (const each of Object.values(value ?? {})) checkSets(each);
  }
}

function checkSets(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { SS, BS, L, M } = value as Readonly<Record<string, unknown>>;
  for (const [set, name] of [
    [SS, 'string'],
    [BS, 'binary'],
  ] as const) {
    if (Array.isArray(set) && set.includes('')) {
      refuse(
        `One or more parameter values were invalid: An ${name} set may not have a empty ${name} as a member`,
      );
    }
  }
  if (Array.isArray(L)) for (const each of L) checkSets(each);
  if (typeof M === 'object' && M !== null) for (const each of Object.values(M)) checkSets(each);
}

function checkIndexRead(
  kind: 'Query' | 'Scan',
  request: PartRequest,
  shape: TableShape,
  conditions: ReadonlyMap<string, ConditionSyntax>,
): void {
  const index = request.IndexName === undefined ? undefined : shape.indexes.get(request.IndexName);
  if (index?.projected) checkProjection(request, index.projected, conditions.get('FilterExpression'));
  const keyCondition = conditions.get('KeyConditionExpression');
  if (kind === 'Query' && keyCondition) checkQuery(request, index ?? shape, keyCondition);
}

/** Checks the requested attributes. AWS documents the limit for them; for filters it is our inference. */
function checkProjection(
  { IndexName, ProjectionExpression, ExpressionAttributeNames = {}, Select }: PartRequest,
  projected: ReadonlySet<string>,
  filter: ConditionSyntax | undefined,
): void {
  if (Select === 'ALL_ATTRIBUTES') {
    refuse(
      `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${IndexName} because its projection type is not ALL`,
    );
  }
  const asked = (ProjectionExpression ?? '')
    .split(',')
    .map((path) => topOf(path.trim().replaceAll(/#\w+/g, (name) => ExpressionAttributeNames[name] ?? name)));
  const missing = [...asked, ...(filter?.attributes ?? [])].filter(
    (name) => name !== '' && !projected.has(name),
  );
  if (missing.length > 0) {
    refuse(
      `One or more parameter values were invalid: Global secondary index ${IndexName} does not project [${missing.join(', ')}]`,
    );
  }
}

function checkQuery(
  { ExpressionAttributeValues: values = {}, ExclusiveStartKey: start }: PartRequest,
  { keyNames: [partitionKey = '', sortKey] }: Pick<IndexShape, 'keyNames'>,
  { operations }: ConditionSyntax,
): void {
  for (const { operands } of operations) {
    for (const operand of operands) {
      if (values[operand]?.['S'] !== '' && values[operand]?.['B'] !== '') continue;
      refuse(
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${operands[0]}`,
      );
    }
  }
  if (!start) return;
  for (const operation of operations) {
    const name = operation.operands.find((operand) => operand === partitionKey || operand === sortKey);
    const value = name === undefined ? undefined : start[name];
    if (value === undefined || holds(operation, value, values)) continue;
    refuse(
      name === partitionKey
        ? 'The provided starting key is outside query boundaries based on provided conditions'
        : 'The provided starting key does not match the range key predicate',
    );
  }
}

/**
 * Returns true if a key's value meets one operation of a key condition: `sk > :s`, `sk BETWEEN :a AND :b`, `begins_with(sk, :p)`.
 */
function holds(
  { operator, operands: [, ...others] }: Operation,
  value: AttributeValue,
  values: Item,
): boolean {
  const compared = others.map((operand) => compare(value, values[operand] ?? {}));
  const [first = 0, second = 0] = compared;
  switch (operator) {
    case '=':
      return first === 0;
    case '<':
      return first < 0;
    case '<=':
      return first <= 0;
    case '>':
      return first > 0;
    case '>=':
      return first >= 0;
    case 'BETWEEN':
      return first >= 0 && second <= 0;
    case 'begins_with':
      return String(value['S'] ?? value['B']).startsWith(
        String(Object.values(values[others[0] ?? ''] ?? {})[0]),
      );
    default:
      return true;
  }
}

/** Compares texts and binary values by their bytes, as DynamoDB sorts them. */
function compare(one: AttributeValue, other: AttributeValue): number {
  if (one['N'] !== undefined) return Number(one['N']) - Number(other['N']);
  const encoding = one['B'] === undefined ? 'utf8' : 'base64';
  const bytes = ({ S, B }: AttributeValue) => Buffer.from(String(S ?? B), encoding);
  return Buffer.compare(bytes(one), bytes(other));
}

const mostOperators = 300;
const mostInOperands = 100;

export function refuse(message: string): never {
  throw new AwsError('ValidationException', message);
}

/**
 * Checks the conditions of a request.
 *
 * @returns the conditions by the name of their parameter, for further checks
 */
export function checkConditions(request: PartRequest): ReadonlyMap<string, ConditionSyntax> {
  const found = new Map<string, ConditionSyntax>();
  for (const parameter of ['KeyConditionExpression', 'FilterExpression', 'ConditionExpression'] as const) {
    const text = request[parameter];
    const syntax = text === undefined ? undefined : readCondition(text, request.ExpressionAttributeNames);
    if (!syntax) continue;
    found.set(parameter, syntax);
    checkOperators(parameter, syntax.operators);
    for (const { operator, operands } of syntax.operations) {
      if (operator === 'IN' && operands.length - 1 > mostInOperands) {
        refuse(
          `Invalid ${parameter}: The IN operator is provided with too many operands; number of operands: ${operands.length - 1}`,
        );
      }
      const [first = '', ...rest] = operands;
      if (rest.includes(first)) {
        refuse(
          `Invalid ${parameter}: The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: [${first}]`,
        );
      }
    }
  }
  return found;
}

function checkOperators(parameter: string, count: number): void {
  if (count <= mostOperators) return;
  refuse(
    `Invalid ${parameter}: Expression size has exceeded the maximum allowed number of operators; operator count: ${count}`,
  );
}

/**
 * Checks an update expression.
 *
 * @param shape the table's shape; absent if the table is unknown
 */
export function checkUpdate(
  { UpdateExpression, ExpressionAttributeNames }: PartRequest,
  shape: TableShape | undefined,
) {
  if (UpdateExpression === undefined) return undefined;
  const syntax = readUpdate(UpdateExpression, ExpressionAttributeNames);
  if (!syntax) return undefined;
  checkOperators('UpdateExpression', syntax.operators);
  for (const [index, path] of syntax.changed.entries()) {
    const other = syntax.changed.find((each, position) => position > index && overlap(path, each));
    if (other !== undefined) {
      refuse(
        `Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [${path}], path two: [${other}]`,
      );
    }
    if (shape?.keyNames.includes(topOf(path))) {
      refuse(
        `One or more parameter values were invalid: Cannot update attribute ${path}. This attribute is part of the key`,
      );
    }
  }
  return syntax;
}

/** Returns true if one path is the other or contains it: `chain` and `chain[2].status`. */
function overlap(one: string, other: string): boolean {
  const [outer, inner] = one.length <= other.length ? [one, other] : [other, one];
  return inner === outer || (inner.startsWith(outer) && /[.[]/.test(inner.charAt(outer.length)));
}
