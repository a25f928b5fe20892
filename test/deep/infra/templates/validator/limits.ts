import {
  callIn,
  callsIn,
  isObject,
  type Json,
  type JsonObject,
  type Resource,
  type Template,
  type Templates,
} from '../../../../../infra/templates/template.ts';

/** A limit on one resource of a type: the measured quantity, its unit, and AWS's maximum. */
interface Limit {
  readonly type: string;
  readonly what: string;
  readonly least?: number;
  readonly most: number;
  /**
   * Measures a resource.
   *
   * @returns undefined if the resource does not have the measured quantity
   */
  readonly measure: (properties: JsonObject) => number | undefined;
}

/** The assumed length of a value that only a deployment knows: an ARN, a name that contains its stack's, or a URL. */
const unknownTextLength = 150;

/** Quotas that AWS does not raise, or with an account's initial value. November 2026. */
const limits: readonly Limit[] = [
  // https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  {
    type: 'AWS::Lambda::Function',
    what: 'bytes of environment variables',
    most: 4_096,
    measure: ({ Environment }) => lengthOf(at(Environment, 'Variables')),
  },
  {
    type: 'AWS::Lambda::Function',
    what: 'seconds of Timeout',
    least: 1,
    most: 900,
    measure: number('Timeout'),
  },
  {
    type: 'AWS::Lambda::Function',
    what: 'MB of MemorySize',
    least: 128,
    most: 10_240,
    measure: number('MemorySize'),
  },
  {
    type: 'AWS::Lambda::EventSourceMapping',
    what: 'filters',
    most: 5,
    measure: ({ FilterCriteria }) => count(at(FilterCriteria, 'Filters')),
  },
  {
    type: 'AWS::Lambda::EventSourceMapping',
    what: 'MaximumConcurrency',
    least: 2,
    most: 1_000,
    measure: ({ ScalingConfig }) => numberAt(ScalingConfig, 'MaximumConcurrency'),
  },
  {
    type: 'AWS::Lambda::EventSourceMapping',
    what: 'MinimumPollers',
    least: 2,
    most: 200,
    measure: ({ ProvisionedPollerConfig }) => numberAt(ProvisionedPollerConfig, 'MinimumPollers'),
  },
  {
    type: 'AWS::Lambda::EventSourceMapping',
    what: 'BatchSize',
    least: 1,
    most: 10_000,
    measure: number('BatchSize'),
  },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html; spaces do not count.
  {
    type: 'AWS::IAM::Role',
    what: 'characters of inline policies',
    most: 10_240,
    measure: ({ Policies }) => textLength(Policies),
  },
  {
    type: 'AWS::IAM::Role',
    what: 'characters of the trust policy',
    most: 2_048,
    measure: ({ AssumeRolePolicyDocument }) => textLength(AssumeRolePolicyDocument),
  },
  {
    type: 'AWS::IAM::Role',
    what: 'managed policies',
    most: 10,
    measure: ({ ManagedPolicyArns }) => count(ManagedPolicyArns),
  },
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
  {
    type: 'AWS::DynamoDB::GlobalTable',
    what: 'indexes',
    most: 20,
    measure: ({ GlobalSecondaryIndexes }) => count(GlobalSecondaryIndexes),
  },
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html
  {
    type: 'AWS::SQS::Queue',
    what: 'seconds of VisibilityTimeout',
    least: 0,
    most: 43_200,
    measure: number('VisibilityTimeout'),
  },
  {
    type: 'AWS::SQS::Queue',
    what: 'seconds of MessageRetentionPeriod',
    least: 60,
    most: 1_209_600,
    measure: number('MessageRetentionPeriod'),
  },
  {
    type: 'AWS::SQS::Queue',
    what: 'seconds of DelaySeconds',
    least: 0,
    most: 900,
    measure: number('DelaySeconds'),
  },
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
  {
    type: 'AWS::CloudWatch::Alarm',
    what: 'metrics',
    most: 10,
    measure: ({ Metrics }) => count(Metrics, (each) => isObject(each) && each['MetricStat'] !== undefined),
  },
  {
    type: 'AWS::CloudWatch::Alarm',
    what: 'characters of AlarmDescription',
    most: 1_024,
    measure: text('AlarmDescription'),
  },
  { type: 'AWS::CloudWatch::Alarm', what: 'characters of AlarmName', most: 255, measure: text('AlarmName') },
  {
    type: 'AWS::CloudWatch::Alarm',
    what: 'seconds that are evaluated, of the longest allowed',
    most: 1,
    measure: shareOfEvaluation,
  },
  {
    type: 'AWS::CloudWatch::CompositeAlarm',
    what: 'alarms',
    most: 100,
    measure: ({ AlarmRule }) => String(AlarmRule).split('ALARM(').length - 1,
  },
  {
    type: 'AWS::CloudWatch::CompositeAlarm',
    what: 'characters of AlarmRule',
    most: 10_240,
    measure: text('AlarmRule'),
  },
  {
    type: 'AWS::CloudWatch::CompositeAlarm',
    what: 'characters of AlarmDescription',
    most: 1_024,
    measure: text('AlarmDescription'),
  },
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html
  {
    type: 'AWS::Logs::QueryDefinition',
    what: 'log groups',
    most: 50,
    measure: ({ LogGroupNames }) => count(LogGroupNames),
  },
  // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html
  { type: 'AWS::Events::Rule', what: 'targets', most: 5, measure: ({ Targets }) => count(Targets) },
  {
    type: 'AWS::Events::Rule',
    what: 'characters of EventPattern',
    most: 2_048,
    measure: ({ EventPattern }) => textLength(EventPattern),
  },
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
  {
    type: 'AWS::ApiGatewayV2::Stage',
    what: 'bytes of the format of the access log',
    most: 3_072,
    measure: ({ AccessLogSettings }) => textLength(at(AccessLogSettings, 'Format')),
  },
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
  {
    type: 'AWS::CloudFront::Distribution',
    what: 'origins',
    most: 25,
    measure: ({ DistributionConfig }) => count(at(DistributionConfig, 'Origins')),
  },
  {
    type: 'AWS::CloudFront::Distribution',
    what: 'cache behaviors',
    most: 25,
    measure: ({ DistributionConfig }) => count(at(DistributionConfig, 'CacheBehaviors')),
  },
  {
    type: 'AWS::CloudFront::Distribution',
    what: 'host names',
    most: 100,
    measure: ({ DistributionConfig }) => count(at(DistributionConfig, 'Aliases')),
  },
  { type: 'AWS::CloudFront::Function', what: 'bytes of code', most: 10_240, measure: text('FunctionCode') },
  // https://docs.aws.amazon.com/general/latest/gr/ssm.html, https://docs.aws.amazon.com/kms/latest/developerguide/resource-limits.html
  {
    type: 'AWS::SSM::Parameter',
    what: 'bytes of Value',
    most: 4_096,
    measure: ({ Value }) => textLength(Value),
  },
  {
    type: 'AWS::KMS::Key',
    what: 'bytes of KeyPolicy',
    most: 32_768,
    measure: ({ KeyPolicy }) => textLength(KeyPolicy),
  },
  // https://docs.aws.amazon.com/cost-management/latest/userguide/management-limits.html
  {
    type: 'AWS::Budgets::Budget',
    what: 'notifications',
    most: 10,
    measure: ({ NotificationsWithSubscribers }) => count(NotificationsWithSubscribers),
  },
];

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const ofTemplate = {
  resources: 500,
  outputs: 200,
  parameters: 200,
  mappings: 200,
  bytes: 1_000_000,
} as const;

/** Routes and integrations of all stacks belong to one HTTP API. */
const ofApi = { 'AWS::ApiGatewayV2::Route': 300, 'AWS::ApiGatewayV2::Integration': 300 } as const;

/** Returns the AWS limits that the templates exceed, as `<stack> <logical id>: <what>`. */
export function exceededLimits(templates: Templates): string[] {
  const all = [...templates].flatMap(([stack, { Resources }]) =>
    Object.entries(Resources).map(([id, resource]) => ({ where: `${stack} ${id}`, resource })),
  );
  return [
    ...[...templates].flatMap(([stack, template]) => ofWholeTemplate(stack, template)),
    ...all.flatMap(({ where, resource }) => ofResource(where, resource)),
    ...Object.entries(ofApi).flatMap(([type, most]) =>
      tooMany('the API', type, all.filter(({ resource }) => resource.Type === type).length, most),
    ),
  ];
}

function ofWholeTemplate(stack: string, template: Template): string[] {
  const { Resources, Outputs = {}, Parameters = {}, Mappings = {} } = template;
  return [
    ...tooMany(stack, 'resources', Object.keys(Resources).length, ofTemplate.resources),
    ...tooMany(stack, 'outputs', Object.keys(Outputs).length, ofTemplate.outputs),
    ...tooMany(stack, 'parameters', Object.keys(Parameters).length, ofTemplate.parameters),
    ...tooMany(stack, 'mappings', Object.keys(Mappings).length, ofTemplate.mappings),
    ...tooMany(stack, 'bytes', Buffer.byteLength(JSON.stringify(template)), ofTemplate.bytes),
  ];
}

function ofResource(where: string, { Type, Properties = {} }: Resource): string[] {
  return limits.flatMap(({ type, what, least, most, measure }) => {
    if (type !== Type) return [];
    const measured = measure(Properties);
    if (measured === undefined) return [];
    if (least !== undefined && measured < least)
      return [`${where}: ${measured} ${what}, at least ${least} are needed`];
    return tooMany(where, what, measured, most);
  });
}

const tooMany = (where: string, what: string, measured: number, most: number): string[] =>
  measured > most ? [`${where}: ${measured} ${what}, at most ${most} are allowed`] : [];

function at(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

function number(name: string) {
  return (properties: JsonObject) => numberAt(properties, name);
}

function numberAt(value: Json | undefined, name: string): number | undefined {
  const found = at(value, name);
  return typeof found === 'number' ? found : undefined;
}

function text(name: string) {
  return (properties: JsonObject) => textLength(properties[name]);
}

function count(list: Json | undefined, counts: (each: Json) => boolean = () => true): number | undefined {
  return Array.isArray(list) ? list.filter(counts).length : undefined;
}

/** Returns the bytes of names and values together. */
function lengthOf(variables: Json | undefined): number | undefined {
  if (!isObject(variables)) return undefined;
  return Object.entries(variables).reduce(
    (sum, [name, value]) => sum + name.length + (textLength(value) ?? 0),
    0,
  );
}

/** Returns the bytes of a text, or of the JSON of anything else, with an estimate for each value that only a deployment knows. */
function textLength(value: Json | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return Buffer.byteLength(value);
  const call = callIn(value);
  if (call?.name === 'Fn::Join' && Array.isArray(call.argument)) {
    const [, parts] = call.argument;
    return Array.isArray(parts) ? parts.reduce<number>((sum, part) => sum + (textLength(part) ?? 0), 0) : 0;
  }
  if (call !== undefined) return unknownTextLength;
  const json = JSON.stringify(value);
  const calls = [...callsIn(value)].filter(({ name }) => name !== 'Fn::Join');
  const ofCalls = calls.reduce(
    (sum, { name, argument }) => sum + JSON.stringify({ [name]: argument }).length,
    0,
  );
  return json.length - ofCalls + calls.length * unknownTextLength;
}

/**
 * Returns the used share of an alarm's maximum evaluation time: a day for periods shorter than an hour, seven days for longer
 * ones.
 */
function shareOfEvaluation({ Period, Metrics, EvaluationPeriods }: JsonObject): number | undefined {
  const periods = Array.isArray(Metrics)
    ? Metrics.flatMap((each) => numberAt(at(each, 'MetricStat'), 'Period') ?? [])
    : [Number(Period)];
  const longest = Math.max(...periods);
  const allowedSeconds = longest < 3_600 ? 86_400 : 7 * 86_400;
  return (longest * Number(EvaluationPeriods)) / allowedSeconds;
}
