import { describe, expect, it } from 'vitest';
import { policyDocument } from '../../assembly/read-properties.ts';

const statement = { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*' };
const read = (changes: object) => policyDocument.safeParse({ Statement: [{ ...statement, ...changes }] });

describe('a policy in the template', () => {
  it('may have one statement or several', () => {
    expect(policyDocument.parse({ Statement: statement }).Statement).toEqual([statement]);
    expect(policyDocument.parse({ Statement: [statement, statement] }).Statement).toHaveLength(2);
  });

  it.each([
    ['StringEquals'],
    ['StringLikeIfExists'],
    ['ForAllValues:StringLike'],
    ['ForAnyValue:StringNotEquals'],
    ['ArnLike'],
    ['Bool'],
    ['Null'],
    ['NumericLessThan'],
  ])('may have a condition with %s', (operator) => {
    expect(read({ Condition: { [operator]: { 'aws:SourceArn': 'x' } } }).success).toBe(true);
  });

  it.each<[string, object]>([
    ['an operator that is not supported', { Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }],
    ['an operator that does not exist', { Condition: { StringMatches: { a: 'b' } } }],
    ['a quantifier that does not exist', { Condition: { 'ForSomeValues:StringEquals': { a: 'b' } } }],
    ['a NotPrincipal', { NotPrincipal: { AWS: 'arn:aws:iam::1:role/one' } }],
    ['a policy variable', { Resource: `arn:aws:s3:::media/\${aws:PrincipalTag/workspace}/*` }],
    ['an effect in the wrong case', { Effect: 'deny' }],
    ['a misspelled element', { Actions: 'sqs:*' }],
  ])('is refused with %s, which would be evaluated incorrectly', (_, changes) => {
    expect(read(changes).success).toBe(false);
  });
});
