import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findStage } from '../../../../infra/stages.ts';
import { loadResourceTypes, type ResourceTypes } from '../../../../infra/templates/resource-types.ts';
import {
  type JsonObject,
  type Resource,
  readTemplates,
  type Template,
  type Templates,
} from '../../../../infra/templates/template.ts';
import { type Synthesized, synthesize, synthesizeOnce } from '../../../infra/support/synthesize.ts';
import { exceededLimits } from './validator/limits.ts';
import { validateTemplates } from './validator/validate.ts';

let types: ResourceTypes;
let dev: Synthesized | undefined;
beforeAll(() => {
  types = loadResourceTypes();
});
afterAll(() => dev?.remove());

describeTemplates('dev with alarms', 'dev', () => synthesizeOnce().directory);
describeTemplates('production', 'production', () => synthesizeOnce('production').directory);
describeTemplates('dev', 'dev', () => {
  dev = synthesize({ stage: findStage('dev') });
  return dev.directory;
});

/**
 * Registers the tests of a variant's templates.
 *
 * @param assembly returns the folder of the variant's assembly
 */
function describeTemplates(variant: string, stage: string, assembly: () => string): void {
  describe(`the templates of ${variant}`, () => {
    let templates: Templates;
    beforeAll(() => {
      templates = readTemplates(assembly());
    });

    it('have only what CloudFormation knows', () => {
      expect(validateTemplates(templates, types)).toEqual([]);
    });

    it('have the tags of service and stage on every resource that can have tags', () => {
      const all = [...templates].flatMap(([stack, { Resources }]) =>
        Object.entries(Resources).map(([id, resource]) => ({ where: `${stack} ${id}`, resource })),
      );
      const untagged = all.filter(({ resource: { Type, Properties = {} } }) => {
        const property = types.find(Type)?.tagInformation?.tagPropertyName;
        if (property === undefined) return false;
        const tags = JSON.stringify(Properties[property] ?? '');
        return !/herald/.test(tags) || !tags.includes(stage);
      });
      expect(untagged.map(({ where, resource: { Type } }) => `${where} (${Type})`)).toEqual([]);
      const tables = all.filter(({ resource: { Type } }) => Type === 'AWS::DynamoDB::GlobalTable');
      for (const { resource } of tables)
        expect(JSON.stringify(resource.Properties?.['Replicas'])).toContain(
          `{"Key":"stage","Value":"${stage}"}`,
        );
    });

    it('are within the limits of AWS', () => {
      expect(exceededLimits(templates)).toEqual([]);
    });
  });
}

const queue: Resource = { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } };
const stackOf = (resources: Record<string, Resource>, rest: Partial<Template> = {}): Templates =>
  new Map([['stack', { Resources: resources, ...rest }]]);
const ofType = (Type: string, Properties: JsonObject) =>
  stackOf({ Queue: queue, Planted: { Type, Properties } });
const alarm = { ComparisonOperator: 'GreaterThanThreshold', EvaluationPeriods: 1 };
const role = { AssumeRolePolicyDocument: {} };

describe('the validation refuses', () => {
  it.each<[string, Templates, string]>([
    ['an unknown type', ofType('AWS::SQS::Cue', {}), 'stack Planted Type: there is no type AWS::SQS::Cue'],
    [
      'an unknown property',
      ofType('AWS::SQS::Queue', { Visibility: 60 }),
      'Properties.Visibility: is not a property',
    ],
    [
      'a missing property',
      ofType('AWS::CloudWatch::Alarm', { EvaluationPeriods: 1 }),
      'Properties.ComparisonOperator: is required',
    ],
    [
      'a missing property of a nested object',
      ofType('AWS::Budgets::Budget', { Budget: { BudgetType: 'COST' } }),
      'Properties.Budget.TimeUnit: is required',
    ],
    [
      'an unknown property of a nested object',
      ofType('AWS::CloudWatch::Alarm', { ...alarm, Dimensions: [{ Name: 'a', Value: 'b', Unit: 'c' }] }),
      'Properties.Dimensions[0].Unit: is not a property',
    ],
    [
      'a text in place of a number',
      ofType('AWS::SQS::Queue', { VisibilityTimeout: 'a minute' }),
      'Properties.VisibilityTimeout: "a minute" is not of the type integer',
    ],
    [
      'an object in place of a list',
      ofType('AWS::CloudWatch::Alarm', { ...alarm, Dimensions: { Name: 'a' } }),
      'Properties.Dimensions: {"Name":"a"} is not a list',
    ],
    [
      'a value outside of an enumeration',
      ofType('AWS::SSM::Parameter', { Type: 'Number', Value: '1' }),
      'Properties.Type: "Number" is not one of String, StringList',
    ],
    [
      'a value outside of an enumeration that only the documentation has',
      ofType('AWS::CloudWatch::Alarm', { ...alarm, ComparisonOperator: 'MoreThan' }),
      'Properties.ComparisonOperator: "MoreThan" is not one of',
    ],
    [
      'a reference to nothing',
      ofType('AWS::SNS::Subscription', { Protocol: 'sqs', TopicArn: { Ref: 'Topic' } }),
      'refers to Topic, which is neither a resource nor a parameter',
    ],
    [
      'resources that wait for each other',
      stackOf({
        Queue: { ...queue, DependsOn: ['Topic'] },
        Topic: {
          Type: 'AWS::SNS::Topic',
          Properties: { DisplayName: { 'Fn::GetAtt': ['Queue', 'QueueName'] } },
        },
      }),
      'stack Queue: waits for itself, by way of Topic, Queue',
    ],
    [
      'a reference inside a joined text',
      ofType('AWS::SNS::Topic', { DisplayName: { 'Fn::Join': ['', ['a', { Ref: 'Name' }]] } }),
      'refers to Name, which is neither a resource nor a parameter',
    ],
    [
      'an attribute that the type does not have',
      ofType('AWS::SNS::Subscription', {
        Protocol: 'sqs',
        TopicArn: 't',
        Endpoint: { 'Fn::GetAtt': ['Queue', 'Url'] },
      }),
      'refers to Queue.Url: AWS::SQS::Queue has no such attribute',
    ],
    [
      'an attribute of nothing in Fn::Sub',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Fn::Sub.
      ofType('AWS::SNS::Topic', { DisplayName: { 'Fn::Sub': 'for ${Cue.Arn} in ${AWS::Region}' } }),
      'refers to Cue, which is not a resource',
    ],
    [
      'a dependency on nothing',
      stackOf({ Queue: { ...queue, DependsOn: ['Topic'] } }),
      'DependsOn: there is no resource Topic',
    ],
    ['a logical id with a hyphen', stackOf({ 'my-queue': queue }), 'my-queue is not a logical id'],
    [
      'an import that nobody exports',
      ofType('AWS::SNS::Topic', { DisplayName: { 'Fn::ImportValue': 'data:Name' } }),
      'stack: no stack exports data:Name',
    ],
    [
      'an output of nothing',
      stackOf({ Queue: queue }, { Outputs: { Url: { Value: { Ref: 'Cue' } } } }),
      'stack Url refers to Cue',
    ],
    [
      'two exports of one name',
      new Map(
        ['one', 'two'].map((name) => [
          name,
          { Resources: { Queue: queue }, Outputs: { Url: { Value: '', Export: { Name: 'url' } } } },
        ]),
      ),
      'two Url: one exports url too',
    ],
  ])('%s', (_what, templates, problem) => {
    const problems = validateTemplates(templates, types);
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  it('nothing in a template without mistakes', () => {
    expect(validateTemplates(stackOf({ Queue: queue }), types)).toEqual([]);
  });
});

const times = (length: number) => Array.from({ length }, (_, index) => index);
const listOf = (length: number, value: JsonObject) => times(length).map(() => value);

describe('the limits of AWS refuse', () => {
  it.each<[string, Templates, string]>([
    [
      '501 resources in a stack',
      stackOf(Object.fromEntries(times(501).map((index) => [`Queue${index}`, queue]))),
      'stack: 501 resources, at most 500 are allowed',
    ],
    [
      '201 outputs',
      stackOf(
        { Queue: queue },
        { Outputs: Object.fromEntries(times(201).map((index) => [`Output${index}`, { Value: '' }])) },
      ),
      '201 outputs',
    ],
    [
      'a template of more than a megabyte',
      ofType('AWS::SNS::Topic', { DisplayName: 'x'.repeat(1_000_000) }),
      'bytes, at most 1000000',
    ],
    [
      'large environments',
      ofType('AWS::Lambda::Function', {
        Environment: { Variables: { A: 'x'.repeat(4_000), B: { Ref: 'Queue' } } },
      }),
      '4152 bytes of environment variables, at most 4096',
    ],
    [
      'a timeout of more than 15 minutes',
      ofType('AWS::Lambda::Function', { Timeout: 901 }),
      '901 seconds of Timeout',
    ],
    [
      'a small memory',
      ofType('AWS::Lambda::Function', { MemorySize: 64 }),
      '64 MB of MemorySize, at least 128',
    ],
    [
      'long inline policies',
      ofType('AWS::IAM::Role', {
        ...role,
        Policies: [{ PolicyName: 'p', PolicyDocument: { Statement: 'x'.repeat(10_240) } }],
      }),
      'characters of inline policies, at most 10240',
    ],
    [
      'six filters of a mapping',
      ofType('AWS::Lambda::EventSourceMapping', { FilterCriteria: { Filters: listOf(6, {}) } }),
      '6 filters, at most 5',
    ],
    [
      'a concurrency of one',
      ofType('AWS::Lambda::EventSourceMapping', { ScalingConfig: { MaximumConcurrency: 1 } }),
      '1 MaximumConcurrency, at least 2',
    ],
    [
      '21 indexes',
      ofType('AWS::DynamoDB::GlobalTable', { GlobalSecondaryIndexes: listOf(21, {}) }),
      '21 indexes',
    ],
    [
      'a long retention',
      ofType('AWS::SQS::Queue', { MessageRetentionPeriod: 1_209_601 }),
      'MessageRetentionPeriod',
    ],
    [
      'eleven metrics of an alarm',
      ofType('AWS::CloudWatch::Alarm', { ...alarm, Metrics: listOf(11, { MetricStat: { Period: 60 } }) }),
      '11 metrics, at most 10',
    ],
    [
      'an alarm that looks at more than a day',
      ofType('AWS::CloudWatch::Alarm', { ...alarm, Period: 900, EvaluationPeriods: 97 }),
      'seconds that are evaluated',
    ],
    [
      '101 alarms of a group',
      ofType('AWS::CloudWatch::CompositeAlarm', {
        AlarmRule: times(101)
          .map((index) => `ALARM("${index}")`)
          .join(' OR '),
      }),
      '101 alarms, at most 100',
    ],
    [
      '51 log groups of a query',
      ofType('AWS::Logs::QueryDefinition', { LogGroupNames: times(51).map(String) }),
      '51 log groups',
    ],
    [
      'a long pattern of events',
      ofType('AWS::Events::Rule', { EventPattern: { source: times(300).map((index) => `source ${index}`) } }),
      'characters of EventPattern',
    ],
    [
      '301 routes of one API, over stacks',
      new Map(
        ['one', 'two'].map((name) => [
          name,
          {
            Resources: Object.fromEntries(
              times(151).map((index) => [`Route${index}`, { Type: 'AWS::ApiGatewayV2::Route' }]),
            ),
          },
        ]),
      ),
      'the API: 302 AWS::ApiGatewayV2::Route, at most 300',
    ],
    [
      '26 origins',
      ofType('AWS::CloudFront::Distribution', { DistributionConfig: { Origins: listOf(26, {}) } }),
      '26 origins, at most 25',
    ],
  ])('%s', (_what, templates, problem) => {
    expect(exceededLimits(templates)).toEqual([expect.stringContaining(problem)]);
  });
});
