import { describe, expect, it } from 'vitest';
import { policyDocument } from '../../../../../infra/local/cloud/assembly/read-properties.ts';

const statement = { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*' };
const read = (changes: object) => policyDocument.safeParse({ Statement: [{ ...statement, ...changes }] });

describe('a policy of the template', () => {
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
  ])('may have a condition by %s', (operator) => {
    expect(read({ Condition: { [operator]: { 'aws:SourceArn': 'x' } } }).success).toBe(true);
  });

  it.each<[string, object]>([
    ['an operator that is not known', { Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }],
    ['an operator that does not exist', { Condition: { StringMatches: { a: 'b' } } }],
    ['a quantifier that does not exist', { Condition: { 'ForSomeValues:StringEquals': { a: 'b' } } }],
    ['everybody but some', { NotPrincipal: { AWS: 'arn:aws:iam::1:role/one' } }],
    ['a variable', { Resource: `arn:aws:s3:::media/\${aws:PrincipalTag/workspace}/*` }],
    ['an effect in another case', { Effect: 'deny' }],
    ['a misspelled element', { Actions: 'sqs:*' }],
  ])('is refused with %s, which would be judged wrongly', (_, changes) => {
    expect(read(changes).success).toBe(false);
  });
});
