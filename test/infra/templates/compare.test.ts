import { beforeAll, describe, expect, it } from 'vitest';
import { compareReleases } from '../../../bin/synth.ts';
import { compareTemplates } from '../../../infra/templates/compare.ts';
import { loadResourceTypes, type ResourceTypes } from '../../../infra/templates/resource-types.ts';
import {
  type JsonObject,
  type Resource,
  readTemplates,
  type Template,
  type Templates,
} from '../../../infra/templates/template.ts';
import { synthesizeOnce } from '../support/synthesize.ts';

let types: ResourceTypes;
beforeAll(() => {
  types = loadResourceTypes();
});

const stackOf = (Resources: Record<string, Resource>, rest: Partial<Template> = {}): Templates =>
  new Map([['stack', { Resources, ...rest }]]);
const queue = (Properties: JsonObject = {}): Resource => ({ Type: 'AWS::SQS::Queue', Properties });
const role = (Properties: JsonObject = {}): Resource => ({ Type: 'AWS::IAM::Role', Properties });
const index = (IndexName: string, keys = 'pk'): JsonObject => ({
  IndexName,
  KeySchema: [keys],
  Projection: {},
});
const table = (names: readonly JsonObject[], rest: JsonObject = {}): Resource => ({
  Type: 'AWS::DynamoDB::GlobalTable',
  DeletionPolicy: 'Retain',
  UpdateReplacePolicy: 'Retain',
  Properties: { KeySchema: ['pk'], GlobalSecondaryIndexes: names, ...rest },
});
const group: Resource = { Type: 'AWS::Scheduler::ScheduleGroup', Properties: {} };
const alarm: Resource = {
  Type: 'AWS::CloudWatch::Alarm',
  Properties: { AlarmName: 'late', EvaluationPeriods: 1 },
};
const exporting = (
  Value: JsonObject | string,
  resources: Record<string, Resource> = { Queue: queue() },
): Template => ({
  Resources: resources,
  Outputs: { Url: { Value, Export: { Name: 'data:Url' } } },
});
const importing: Template = {
  Resources: {
    Topic: { Type: 'AWS::SNS::Topic', Properties: { DisplayName: { 'Fn::ImportValue': 'data:Url' } } },
  },
};
const route = (RouteKey: string): Resource => ({
  Type: 'AWS::ApiGatewayV2::Route',
  Properties: { RouteKey, ApiId: 'a' },
});

const told = (before: Templates, after: Templates) =>
  compareTemplates(before, after, types).map(
    ({ kind, logicalId, isBlocker }) => `${isBlocker ? 'BLOCKED ' : ''}${logicalId}: ${kind}`,
  );

describe('an update', () => {
  it.each<[string, Templates, Templates, string[]]>([
    ['of the same templates', stackOf({ Queue: queue() }), stackOf({ Queue: queue() }), []],
    [
      'that changes a property in place',
      stackOf({ Queue: queue({ VisibilityTimeout: 60 }) }),
      stackOf({ Queue: queue({ VisibilityTimeout: 90 }) }),
      [],
    ],
    ['that adds a resource', stackOf({}), stackOf({ Queue: queue() }), []],
    [
      'that changes the path of a role',
      stackOf({ Role: role({ Path: '/a/' }) }),
      stackOf({ Role: role({ Path: '/b/' }) }),
      ['Role: replaced'],
    ],
    [
      'that changes the key of a table',
      stackOf({ Table: table([]) }),
      stackOf({ Table: table([], { KeySchema: ['other'] }) }),
      ['BLOCKED Table: replaced'],
    ],
    [
      'that replaces a role which keeps its name',
      stackOf({ Role: role({ RoleName: 'r', Path: '/a/' }) }),
      stackOf({ Role: role({ RoleName: 'r', Path: '/b/' }) }),
      ['BLOCKED Role: replaced'],
    ],
    ['that removes a role', stackOf({ Role: role() }), stackOf({}), ['Role: removed']],
    ['that removes a queue', stackOf({ Queue: queue() }), stackOf({}), ['BLOCKED Queue: removed']],
    [
      'that removes the group of schedules',
      stackOf({ Group: group }),
      stackOf({}),
      ['BLOCKED Group: removed'],
    ],
    [
      'that removes a table which is retained',
      stackOf({ Table: table([]) }),
      stackOf({}),
      ['BLOCKED Table: kept outside the stack'],
    ],
    [
      'that removes a log',
      stackOf({ Log: { Type: 'AWS::Logs::LogGroup', Properties: {} } }),
      stackOf({}),
      ['Log: removed'],
    ],
    ['that renames a role', stackOf({ Old: role() }), stackOf({ New: role() }), ['Old: renamed']],
    ['that renames a queue', stackOf({ Old: queue() }), stackOf({ New: queue() }), ['BLOCKED Old: renamed']],
    [
      'that renames an alarm with a name',
      stackOf({ Old: alarm }),
      stackOf({ New: alarm }),
      ['BLOCKED Old: renamed'],
    ],
    [
      'that changes the type of a resource',
      stackOf({ Thing: role() }),
      stackOf({ Thing: queue() }),
      ['BLOCKED Thing: refused by AWS'],
    ],
    [
      'that makes a key multi-Region later',
      stackOf({ Key: { Type: 'AWS::KMS::Key', Properties: {} } }),
      stackOf({ Key: { Type: 'AWS::KMS::Key', Properties: { MultiRegion: true } } }),
      ['BLOCKED Key: refused by AWS'],
    ],
    ['that adds one index', stackOf({ Table: table([]) }), stackOf({ Table: table([index('a')]) }), []],
    [
      'that adds two indexes',
      stackOf({ Table: table([]) }),
      stackOf({ Table: table([index('a'), index('b')]) }),
      ['BLOCKED Table: refused by AWS'],
    ],
    [
      'that replaces an index by another',
      stackOf({ Table: table([index('a')]) }),
      stackOf({ Table: table([index('b')]) }),
      ['BLOCKED Table: refused by AWS'],
    ],
    [
      'that changes the keys of an index',
      stackOf({ Table: table([index('a')]) }),
      stackOf({ Table: table([index('a', 'sk')]) }),
      ['BLOCKED Table: refused by AWS'],
    ],
    [
      'that removes an export which is imported',
      new Map([
        ['data', exporting({ Ref: 'Queue' })],
        ['api', importing],
      ]),
      new Map([
        ['data', { Resources: { Queue: queue() } }],
        ['api', { Resources: {} }],
      ]),
      ['BLOCKED data:Url: refused by AWS', 'Topic: removed'],
    ],
    [
      'that removes an export which nobody imports',
      new Map([['data', exporting({ Ref: 'Queue' })]]),
      new Map([['data', { Resources: { Queue: queue() } }]]),
      [],
    ],
    [
      'that changes the value of an export which is imported',
      new Map([
        ['data', exporting('a')],
        ['api', importing],
      ]),
      new Map([
        ['data', exporting('b')],
        ['api', importing],
      ]),
      ['BLOCKED data:Url: refused by AWS'],
    ],
    [
      'that replaces what an import refers to',
      new Map([
        ['data', exporting({ 'Fn::GetAtt': ['Role', 'Arn'] }, { Role: role({ Path: '/a/' }) })],
        ['api', importing],
      ]),
      new Map([
        ['data', exporting({ 'Fn::GetAtt': ['Role', 'Arn'] }, { Role: role({ Path: '/b/' }) })],
        ['api', importing],
      ]),
      ['Role: replaced', 'BLOCKED data:Url: refused by AWS'],
    ],
    [
      'that moves a route to another stack',
      new Map([
        ['one', { Resources: { Route: route('GET /a') } }],
        ['two', { Resources: {} }],
      ]),
      new Map([
        ['one', { Resources: {} }],
        ['two', { Resources: { Route: route('GET /a') } }],
      ]),
      ['Route: removed', 'BLOCKED Route: refused by AWS'],
    ],
    ['that drops a stack', stackOf({ Role: role() }), new Map(), [': kept outside the stack']],
  ])('%s', (_what, before, after, expected) => {
    expect(told(before, after)).toEqual(expected);
  });

  it('of the service as it is changes nothing', () => {
    const templates = readTemplates(synthesizeOnce('production').directory);
    expect(compareReleases(templates, templates, types)).toEqual({
      lines: ['The update replaces, removes and renames nothing.'],
      isFine: true,
    });
  });
});

describe('the comparison of a release', () => {
  const before = stackOf({ Queue: queue() });

  it('names what blocks, and fails', () => {
    expect(compareReleases(before, stackOf({}), types)).toEqual({
      lines: [
        'BLOCKED  stack Queue: removed, AWS::SQS::Queue is deleted with what it holds',
        '1 changes, of which 1 block the update.',
      ],
      isFine: false,
    });
  });

  it('has nothing to say before the first deployment', () => {
    expect(compareReleases(new Map(), before, types)).toEqual({
      lines: ['Nothing is deployed yet.'],
      isFine: true,
    });
  });

  it('fails if the previous templates are those of another stage', () => {
    const dev = new Map([['dev-data', { Resources: {} }]]);
    expect(compareReleases(dev, stackOf({}), types)).toEqual({
      lines: [
        'nothing to compare: the previous templates are of dev-data, and none of these stacks is in the new ones',
      ],
      isFine: false,
    });
  });

  it('passes what somebody has accepted by its logical id', () => {
    expect(compareReleases(before, stackOf({}), types, ['Queue']).isFine).toBe(true);
    expect(compareReleases(before, stackOf({}), types, ['Other']).isFine).toBe(false);
  });
});
