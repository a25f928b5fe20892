import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessRequest, type Caller, decide, refusalText } from '../../identity/policy-decision.ts';
import type { PolicyStatement } from '../../model.ts';

const queue = 'arn:aws:sqs:eu-west-1:123456789012:work';
const session = 'arn:aws:sts::123456789012:assumed-role/writer/abc';
const role = 'arn:aws:iam::123456789012:role/writer';
const send: AccessRequest = { action: 'sqs:SendMessage', resource: queue };

const caller = (...statements: PolicyStatement[]): Caller => ({
  principal: { kind: 'identity', arn: session },
  policies: [{ Statement: statements }],
});
const allow = (extra: Partial<PolicyStatement> = {}): PolicyStatement => ({
  Effect: 'Allow',
  Action: 'sqs:SendMessage',
  Resource: queue,
  ...extra,
});
const deny = (extra: Partial<PolicyStatement> = {}): PolicyStatement => ({ ...allow(extra), Effect: 'Deny' });
const without = (statement: PolicyStatement, ...names: (keyof PolicyStatement)[]) =>
  Object.fromEntries(
    Object.entries(statement).filter(([name]) => !names.some((left) => left === name)),
  ) as unknown as PolicyStatement;

describe("an identity's policies", () => {
  it.each<[string, PolicyStatement[], boolean]>([
    ['nothing without a statement', [], false],
    ['the named action on the named resource', [allow()], true],
    ['an action in any case', [allow({ Action: 'SQS:sendmessage' })], true],
    ['one action of several', [allow({ Action: ['sqs:ReceiveMessage', 'sqs:SendMessage'] })], true],
    ['an action that * matches', [allow({ Action: 'sqs:Send*' })], true],
    ['an action that ? matches', [allow({ Action: 'sqs:SendMessag?' })], true],
    ['not several characters for one ?', [allow({ Action: 'sqs:Send?' })], false],
    ['not a longer action without *', [allow({ Action: 'sqs:Send' })], false],
    ['not another action', [allow({ Action: 'sqs:DeleteMessage' })], false],
    ['all actions except NotAction', [without({ ...allow(), NotAction: 'sqs:Delete*' }, 'Action')], true],
    ['not an action in NotAction', [without({ ...allow(), NotAction: 'sqs:Send*' }, 'Action')], false],
    ['every action with *', [allow({ Action: '*' })], true],
    ['every action of a service', [allow({ Action: 'sqs:*' })], true],
    ['not actions of another service', [allow({ Action: 's3:*' })], false],
    [
      'not an action in a list of NotActions',
      [without({ ...allow(), NotAction: ['s3:*', 'SQS:send*'] }, 'Action')],
      false,
    ],
    [
      'nothing with NotAction on another resource',
      [without({ ...allow({ Resource: `${queue}-2` }), NotAction: 's3:*' }, 'Action')],
      false,
    ],
    ['one resource of several', [allow({ Resource: [`${queue}-2`, queue] })], true],
    ['a resource that ? matches', [allow({ Resource: queue.replace('work', 'w?rk') })], true],
    ['not a longer resource without *', [allow({ Resource: queue.slice(0, -1) })], false],
    ['a resource with colons and slashes that * matches', [allow({ Resource: 'arn:aws:*' })], true],
    [
      'nothing if action and resource are in different statements',
      [allow({ Resource: `${queue}-2` }), allow({ Action: 'sqs:ReceiveMessage' })],
      false,
    ],
    [
      'an action in the NotAction of a deny',
      [allow(), without({ ...deny(), NotAction: 'sqs:SendMessage' }, 'Action')],
      true,
    ],
    [
      'not an action outside the NotAction of a deny',
      [allow(), without({ ...deny({ Resource: '*' }), NotAction: 's3:*' }, 'Action')],
      false,
    ],
    [
      'not a resource outside the NotResource of a deny',
      [allow(), without({ ...deny(), NotResource: `${queue}-2` }, 'Resource')],
      false,
    ],
    [
      'an action despite a deny whose condition does not hold',
      [allow(), deny({ Condition: { StringEquals: { 'aws:SourceAccount': '1' } } })],
      true,
    ],
    [
      'nothing with an allow whose condition does not hold',
      [allow({ Condition: { StringEquals: { 'aws:SourceAccount': '1' } } })],
      false,
    ],
    ['a resource that * matches', [allow({ Resource: 'arn:aws:sqs:*' })], true],
    ['not a resource in another case', [allow({ Resource: queue.toUpperCase() })], false],
    ['not any character for a dot', [allow({ Resource: queue.replace('work', 'w.rk') })], false],
    [
      'all resources except NotResource',
      [without({ ...allow(), NotResource: `${queue}-2` }, 'Resource')],
      true,
    ],
    ['not a resource in NotResource', [without({ ...allow(), NotResource: queue }, 'Resource')], false],
    ['nothing without a resource', [without(allow(), 'Resource')], false],
    ['nothing that is denied, in any order', [deny(), allow()], false],
    ['nothing that a wider deny covers', [allow(), deny({ Action: '*', Resource: '*' })], false],
    ['an action despite a deny for another resource', [allow(), deny({ Resource: `${queue}-2` })], true],
  ])('allow %s', (_, statements, allowed) => {
    expect(decide(caller(...statements), send).allowed).toBe(allowed);
  });

  it('are evaluated together: one policy may deny what another allows, in any order', () => {
    const policies = [{ Statement: [allow()] }, { Statement: [deny()] }];
    for (const order of [policies, policies.toReversed()]) {
      expect(decide({ ...caller(), policies: order }, send).allowed).toBe(false);
    }
    expect(
      decide({ ...caller(), policies: [{ Statement: [] }, ...policies.slice(0, 1)] }, send).allowed,
    ).toBe(true);
  });

  it('let an explicit deny win over any set of allows', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('*', 'sqs:*', 'sqs:SendMessage')), fc.nat(), (actions, place) => {
        const statements = actions.map((Action) => allow({ Action }));
        statements.splice(place % (statements.length + 1), 0, deny());
        return !decide(caller(...statements), send).allowed;
      }),
    );
  });
});

describe("a resource's policy", () => {
  const policy = (statement: Partial<PolicyStatement>) => ({
    ...send,
    resourcePolicy: { Statement: [allow(statement)] },
  });

  it.each<[string, PolicyStatement['Principal'], boolean]>([
    ['everybody', '*', true],
    ['every AWS identity', { AWS: '*' }, true],
    ['the role', { AWS: role }, true],
    ['the session', { AWS: session }, true],
    ['one of several', { AWS: ['arn:aws:iam::123456789012:role/other', role] }, true],
    ['another role', { AWS: 'arn:aws:iam::123456789012:role/other' }, false],
    [
      'a role with a wildcard, which IAM does not support',
      { AWS: 'arn:aws:iam::123456789012:role/*' },
      false,
    ],
    [
      'the account, which leaves the decision to the identity',
      { AWS: 'arn:aws:iam::123456789012:root' },
      false,
    ],
    ['a service', { Service: 'sqs.amazonaws.com' }, false],
  ])('with %s as principal', (_, Principal, allowed) => {
    expect(decide(caller(), policy({ ...(Principal && { Principal }) })).allowed).toBe(allowed);
  });

  it('suffices if the identity’s own policies neither allow nor deny, and vice versa', () => {
    const byResource = policy({ Principal: { AWS: role } });
    expect(decide(caller(), byResource).allowed).toBe(true);
    expect(decide(caller(allow()), { ...byResource, resourcePolicy: { Statement: [] } }).allowed).toBe(true);
    expect(decide(caller(), { ...byResource, resourcePolicy: { Statement: [] } }).allowed).toBe(false);
  });

  it('cannot allow what the identity’s own policies deny', () => {
    expect(decide(caller(deny()), policy({ Principal: '*' })).allowed).toBe(false);
  });

  it.each<[string, PolicyStatement['Principal'], boolean]>([
    ['everybody', '*', false],
    ['the session’s role', { AWS: role }, false],
    ['another role', { AWS: 'arn:aws:iam::123456789012:role/other' }, true],
    ['the account, which denies everybody in it', { AWS: 'arn:aws:iam::123456789012:root' }, false],
    ['the account by its id', { AWS: '123456789012' }, false],
    ['another account', { AWS: 'arn:aws:iam::210987654321:root' }, true],
    ['a service', { Service: 'sqs.amazonaws.com' }, true],
  ])('with a deny for %s', (_, Principal, allowed) => {
    const resourcePolicy = { Statement: [deny({ ...(Principal && { Principal }) })] };
    expect(decide(caller(allow()), { ...send, resourcePolicy }).allowed).toBe(allowed);
  });

  it('allows an anonymous caller only with *', () => {
    const nobody: Caller = { principal: { kind: 'anonymous' }, policies: [] };
    expect(decide(nobody, policy({ Principal: '*' })).allowed).toBe(true);
    expect(decide(nobody, policy({ Principal: { AWS: role } })).allowed).toBe(false);
    expect(decide(nobody, policy({ Principal: { Service: 'sqs.amazonaws.com' } })).allowed).toBe(false);
  });

  it('denies what the identity’s own policies allow', () => {
    const resourcePolicy = { Statement: [deny({ Principal: '*' })] };
    const decision = decide(caller(allow()), { ...send, resourcePolicy });
    expect(decision).toEqual({ allowed: false, reason: 'with an explicit deny in a resource-based policy' });
  });

  it('allows a service, with a condition on its source ARN', () => {
    const service: Caller = { principal: { kind: 'service', service: 's3.amazonaws.com' }, policies: [] };
    const request = policy({
      Principal: { Service: 's3.amazonaws.com' },
      Condition: { ArnLike: { 'aws:SourceArn': 'arn:aws:s3:::media' } },
    });
    const by = (sourceArn: string) =>
      decide(service, { ...request, context: { 'AWS:SourceArn': sourceArn } }).allowed;
    expect([by('arn:aws:s3:::media'), by('arn:aws:s3:::other')]).toEqual([true, false]);
    expect(decide(service, request).allowed).toBe(false);
  });
});

describe('conditions', () => {
  type Condition = NonNullable<PolicyStatement['Condition']>;
  const keys = ['w1', 'w2'];
  it.each<[Condition, Record<string, string | string[]>, boolean]>([
    [{ StringEquals: { 'aws:SourceAccount': '1' } }, { 'aws:SourceAccount': '1' }, true],
    [{ StringEquals: { 'aws:SourceAccount': ['1', '2'] } }, { 'aws:sourceaccount': '2' }, true],
    [{ StringEquals: { 'aws:SourceAccount': '1' } }, {}, false],
    [{ StringEquals: { 'aws:SourceAccount': '*' } }, { 'aws:SourceAccount': '1' }, false],
    [{ StringEqualsIfExists: { 'aws:SourceAccount': '1' } }, {}, true],
    [{ StringNotEquals: { 'aws:SourceAccount': '1' } }, { 'aws:SourceAccount': '2' }, true],
    [{ StringNotEquals: { 'aws:SourceAccount': ['1', '2'] } }, { 'aws:SourceAccount': '2' }, false],
    [{ StringNotEquals: { 'aws:SourceAccount': '1' } }, {}, true],
    [{ StringLike: { 's3:prefix': 'a/*' } }, { 's3:prefix': 'a/b/c' }, true],
    [{ StringLike: { 's3:prefix': 'a/?' } }, { 's3:prefix': 'a/b/c' }, false],
    [{ ArnLike: { 'aws:SourceArn': 'arn:aws:s3:*:*:me*' } }, { 'aws:SourceArn': 'arn:aws:s3:::media' }, true],
    [{ ArnLike: { 'aws:SourceArn': 'arn:aws:*:media' } }, { 'aws:SourceArn': 'arn:aws:s3:::media' }, false],
    [
      { ArnEquals: { 'aws:SourceArn': 'arn:aws:s3:::media' } },
      { 'aws:SourceArn': 'arn:aws:s3:::media' },
      true,
    ],
    [{ Bool: { 'aws:SecureTransport': 'true' } }, { 'aws:SecureTransport': 'true' }, true],
    [{ Bool: { 'aws:SecureTransport': 'true' } }, {}, false],
    [{ Null: { 'aws:SourceArn': 'true' } }, {}, true],
    [{ Null: { 'aws:SourceArn': 'false' } }, {}, false],
    [{ NumericLessThan: { 's3:TlsVersion': '1.2' } }, { 's3:TlsVersion': '1.3' }, false],
    [
      { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': keys } },
      { 'dynamodb:LeadingKeys': ['w1'] },
      true,
    ],
    [
      { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': keys } },
      { 'dynamodb:LeadingKeys': ['w1', 'x'] },
      false,
    ],
    [{ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': keys } }, {}, true],
    [
      { 'ForAnyValue:StringEquals': { 'dynamodb:LeadingKeys': keys } },
      { 'dynamodb:LeadingKeys': ['w1', 'x'] },
      true,
    ],
    [{ 'ForAnyValue:StringEquals': { 'dynamodb:LeadingKeys': keys } }, {}, false],
    [{ StringEquals: { a: 'One' } }, { a: 'one' }, false],
    [{ StringEqualsIgnoreCase: { a: 'One' } }, { a: 'one' }, true],
    [{ StringNotEqualsIgnoreCase: { a: 'One' } }, { a: 'one' }, false],
    [{ StringLike: { a: 'One*' } }, { a: 'one two' }, false],
    [{ StringLike: { a: '?*' } }, { a: 'w' }, true],
    [{ StringLike: { a: '?*' } }, { a: '' }, false],
    [{ StringLike: { a: '?*' } }, {}, false],
    [{ StringNotLike: { a: 'x*' } }, { a: 'xy' }, false],
    [{ StringNotLike: { a: 'x*' } }, {}, true],
    [
      { ArnNotLike: { 'aws:SourceArn': 'arn:aws:s3:::me*' } },
      { 'aws:SourceArn': 'arn:aws:s3:::media' },
      false,
    ],
    [{ ArnLike: { 'aws:SourceArn': 'arn:aws:s3:::media' } }, { 'aws:SourceArn': 'no arn' }, false],
    [
      { ArnLike: { 'aws:SourceArn': 'arn:aws:sqs:*:1:*' } },
      { 'aws:SourceArn': 'arn:aws:sqs:eu:1:a:b' },
      true,
    ],
    [{ Bool: { 'aws:SecureTransport': 'false' } }, { 'aws:SecureTransport': 'true' }, false],
    [{ BoolIfExists: { 'aws:SecureTransport': 'false' } }, {}, true],
    [{ Null: { 'aws:SourceArn': 'true' } }, { 'aws:SourceArn': 'arn:aws:s3:::media' }, false],
    [{ Null: { 'aws:SourceArn': 'false' } }, { 'aws:SourceArn': 'arn:aws:s3:::media' }, true],
    [{ NumericLessThanEquals: { a: '10' } }, { a: '9' }, true],
    [{ NumericEquals: { a: '1.0' } }, { a: '1' }, true],
    [{ NumericGreaterThan: { a: '10' } }, { a: 'ten' }, false],
    [
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'LINK#*' } },
      { 'dynamodb:LeadingKeys': ['LINK#a', 'LINK#b'] },
      true,
    ],
    [
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'LINK#*' } },
      { 'dynamodb:LeadingKeys': ['LINK#a', 'POST#b'] },
      false,
    ],
    [
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'LINK#*' } },
      { 'dynamodb:LeadingKeys': [] },
      true,
    ],
    [{ Null: { 'dynamodb:LeadingKeys': 'false' } }, { 'dynamodb:LeadingKeys': [] }, false],
    [{ Null: { 'dynamodb:LeadingKeys': 'false' } }, { 'dynamodb:LeadingKeys': ['LINK#a'] }, true],
    [{ 'ForAllValues:StringNotEquals': { a: '1' } }, { a: ['2', '1'] }, false],
    [{ 'ForAnyValue:StringNotEquals': { a: '1' } }, { a: ['2', '1'] }, true],
    [{ 'ForAnyValue:StringLike': { a: 'x*' } }, { a: ['y', 'z'] }, false],
    [{ StringEquals: { a: '1', b: '2' } }, { a: '1', b: '2' }, true],
    [{ StringEquals: { a: '1' }, StringLike: { b: '2*' } }, { a: '1', b: '3' }, false],
    [{}, {}, true],
    [{ StringEquals: { a: '1', b: '2' } }, { a: '1', b: '3' }, false],
    [{ StringEquals: { a: '1' }, StringLike: { b: '2*' } }, { a: '1', b: '23' }, true],
    [{ IpAddress: { 'aws:SourceIp': '0.0.0.0/0' } }, { 'aws:SourceIp': '127.0.0.1' }, false],
  ])('%j over %j', (Condition, context, holds) => {
    expect(decide(caller(allow({ Condition })), { ...send, context }).allowed).toBe(holds);
  });

  it('make a deny apply if they cannot be evaluated', () => {
    const Condition = { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } };
    expect(decide(caller(allow(), deny({ Condition })), send).allowed).toBe(false);
  });
});

it("refuses with AWS's message, which names caller, action, resource and reason", () => {
  const decision = decide(caller(), send);
  expect(refusalText(caller(), send, decision.allowed ? '' : decision.reason)).toBe(
    `User: ${session} is not authorized to perform: sqs:SendMessage on resource: ${queue} ` +
      'because no identity-based policy allows the sqs:SendMessage action',
  );
});
