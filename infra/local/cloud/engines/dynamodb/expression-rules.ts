/**
 * Rules of AWS for expressions that the engines do not enforce. Sources: "Expression parameters" in
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, and the pages on condition and update
 * expressions of the same guide. Pure.
 */

import { AwsError } from '../errors.ts';
import { type ConditionSyntax, readCondition, readUpdate, topOf } from './expression-syntax.ts';
import type { PartRequest, TableShape } from './request-parts.ts';

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
