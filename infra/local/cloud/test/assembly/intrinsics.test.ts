// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are CloudFormation's own.
import { describe, expect, it } from 'vitest';
import { noValue, resolve, type Scope } from '../../assembly/intrinsics.ts';

const scope: Scope = {
  ref: (logicalId) => (logicalId === 'AWS::NoValue' ? noValue : `ref-${logicalId}`),
  attribute: (logicalId, attribute) => `${logicalId}!${attribute}`,
  importValue: (name) => `imported-${name}`,
  mapping: (...keys) => keys.join('/'),
  condition: (name) => name === 'Yes',
};

describe('an intrinsic function resolves to its result', () => {
  const cases: readonly (readonly [what: string, value: unknown, resolved: unknown])[] = [
    ['a plain value is unchanged', { a: [1, 'x', null, true] }, { a: [1, 'x', null, true] }],
    ['Ref', { Ref: 'Table' }, 'ref-Table'],
    ['Fn::GetAtt as a list', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'Queue!Arn'],
    ['Fn::GetAtt as text', { 'Fn::GetAtt': 'Nested.Outputs.Arn' }, 'Nested!Outputs.Arn'],
    ['Fn::Join over references', { 'Fn::Join': ['/', ['a', { Ref: 'B' }, 3]] }, 'a/ref-B/3'],
    ['Fn::Join over a split', { 'Fn::Join': ['-', { 'Fn::Split': [':', 'a:b'] }] }, 'a-b'],
    ['Fn::Sub', { 'Fn::Sub': 'a-${B}-${C.Arn}-${!D}' }, 'a-ref-B-C!Arn-${D}'],
    ['Fn::Sub with variables', { 'Fn::Sub': ['${x}/${Y}', { x: { Ref: 'X' } }] }, 'ref-X/ref-Y'],
    ['Fn::Select', { 'Fn::Select': ['1', { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    ['Fn::ImportValue', { 'Fn::ImportValue': { 'Fn::Sub': 'x-${Y}' } }, 'imported-x-ref-Y'],
    ['Fn::FindInMap', { 'Fn::FindInMap': ['Map', { Ref: 'AWS::Region' }, 'k'] }, 'Map/ref-AWS::Region/k'],
    ['Fn::Base64', { 'Fn::Base64': 'hi' }, 'aGk='],
    ['Fn::If', { 'Fn::If': ['Yes', { Ref: 'A' }, { Ref: 'B' }] }, 'ref-A'],
    ['Fn::If with a false condition', { 'Fn::If': ['No', { Ref: 'A' }, { Ref: 'B' }] }, 'ref-B'],
    ['a property with NoValue is omitted', { a: 1, b: { Ref: 'AWS::NoValue' } }, { a: 1 }],
    ['an element with NoValue is omitted', ['a', { Ref: 'AWS::NoValue' }], ['a']],
    ['Fn::Equals', { 'Fn::Equals': [{ Ref: 'A' }, 'ref-A'] }, true],
    ['Fn::And', { 'Fn::And': [{ Condition: 'Yes' }, { Condition: 'No' }] }, false],
    ['Fn::Or', { 'Fn::Or': [{ Condition: 'Yes' }, { Condition: 'No' }] }, true],
    ['Fn::Not', { 'Fn::Not': [{ Condition: 'No' }] }, true],
    [
      'the Condition of a policy statement is data',
      { Condition: { StringEquals: { key: { Ref: 'A' } } } },
      { Condition: { StringEquals: { key: 'ref-A' } } },
    ],
  ];

  it.each(cases)('%s', (_, value, resolved) => {
    expect(resolve(value, scope)).toEqual(resolved);
  });
});

describe('the error names the mistake in', () => {
  it.each([
    [{ 'Fn::Cidr': ['10.0.0.0/16', 1] }, 'Fn::Cidr is not supported'],
    [{ 'Fn::Join': ['', [{ a: 1 }]] }, 'Fn::Join: {"a":1} is not text'],
    [{ 'Fn::Select': [4, ['a']] }, 'Fn::Select: no value at that index'],
    [{ 'Fn::Split': [':', ['a']] }, 'Fn::Split: ["a"] is not text'],
    [{ 'Fn::And': 'Yes' }, 'Fn::And: "Yes" is not a list'],
  ])('%j', (value, message) => {
    expect(() => resolve(value, scope)).toThrow(message);
  });
});
