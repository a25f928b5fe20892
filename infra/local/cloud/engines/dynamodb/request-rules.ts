/**
 * Rules of AWS for requests that the engines do not enforce. Sources:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html for sets,
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html for projections,
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html for start keys. Pure.
 */

import { checkConditions, checkUpdate, refuse } from './expression-rules.ts';
import { type ConditionSyntax, type Operation, topOf } from './expression-syntax.ts';
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
