/**
 * Evaluates the conditions of a policy statement.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
 */

import type { PolicyStatement } from '../model.ts';
import { arrayOf, matchesArn, matchesGlob } from './policy-patterns.ts';

export type ConditionContext = Readonly<Record<string, string | readonly string[] | undefined>>;

type Comparison = (policyValue: string, requestValue: string) => boolean;

const numeric =
  (compare: (request: number, policy: number) => boolean): Comparison =>
  (policyValue, requestValue) =>
    compare(Number(requestValue), Number(policyValue));

const comparisons: Readonly<Record<string, Comparison>> = {
  StringEquals: (policyValue, requestValue) => policyValue === requestValue,
  StringEqualsIgnoreCase: (policyValue, requestValue) =>
    policyValue.toLowerCase() === requestValue.toLowerCase(),
  StringLike: (policyValue, requestValue) => matchesGlob(policyValue, requestValue),
  ArnEquals: matchesArn,
  ArnLike: matchesArn,
  Bool: (policyValue, requestValue) => policyValue.toLowerCase() === requestValue.toLowerCase(),
  NumericEquals: numeric((request, policy) => request === policy),
  NumericLessThan: numeric((request, policy) => request < policy),
  NumericLessThanEquals: numeric((request, policy) => request <= policy),
  NumericGreaterThan: numeric((request, policy) => request > policy),
  NumericGreaterThanEquals: numeric((request, policy) => request >= policy),
};

/** The negated operators, each with the operator that it negates. */
const negations: Readonly<Record<string, string>> = {
  StringNotEquals: 'StringEquals',
  StringNotEqualsIgnoreCase: 'StringEqualsIgnoreCase',
  StringNotLike: 'StringLike',
  ArnNotEquals: 'ArnEquals',
  ArnNotLike: 'ArnLike',
  NumericNotEquals: 'NumericEquals',
};

/** Returns true if conditions with this operator can be evaluated. */
export function isKnownOperator(operator: string): boolean {
  if (operator === 'Null') return true;
  const { base } = parseOperator(operator);
  return (negations[base] ?? base) in comparisons;
}

/**
 * Returns true if all conditions of a statement hold.
 *
 * @param uncertain the result for an unsupported operator; the caller passes the safe one.
 */
export function conditionsHold(
  conditions: PolicyStatement['Condition'],
  context: ConditionContext,
  uncertain: boolean,
): boolean {
  if (conditions === undefined) return true;
  const lowerCased = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), value]));
  return Object.entries(conditions).every(([operator, keys]) =>
    Object.entries(keys).every(([key, policyValues]) =>
      holds(operator, arrayOf(policyValues).map(String), lowerCased.get(key.toLowerCase()), uncertain),
    ),
  );
}

function holds(
  operator: string,
  policyValues: readonly string[],
  requestValue: string | readonly string[] | undefined,
  uncertain: boolean,
): boolean {
  const requestValues = requestValue === undefined ? [] : arrayOf(requestValue);
  if (operator === 'Null') {
    return policyValues.includes(String(requestValues.length === 0));
  }
  const { quantifier, base, ifExists } = parseOperator(operator);
  const negated = base in negations;
  const compare = comparisons[negations[base] ?? base];
  if (compare === undefined) return uncertain;
  if (requestValues.length === 0) {
    return quantifier === 'ForAllValues' || (quantifier === undefined && negated) || ifExists;
  }
  const matches = (value: string) =>
    policyValues.some((policyValue) => compare(policyValue, value)) !== negated;
  return quantifier === 'ForAllValues' || (quantifier === undefined && negated)
    ? requestValues.every(matches)
    : requestValues.some(matches);
}

function parseOperator(operator: string) {
  const [, quantifier, base = operator, ifExists] =
    /^(?:(ForAllValues|ForAnyValue):)?(.*?)(IfExists)?$/.exec(operator) ?? [];
  return { quantifier, base, ifExists: ifExists !== undefined };
}
