import { callIn, type Json, type JsonObject } from '../../../../../infra/templates/template.ts';

/** Rules in the documentation of a type that CloudFormation's resource database lacks. */
interface Addition {
  readonly required?: readonly string[];
  /** The values of a property, or of the entries of a list. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/** The rules for properties that our templates set. https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/ */
const additions: Readonly<Record<string, Addition>> = {
  'AWS::ApiGatewayV2::Api': {
    required: ['Name', 'ProtocolType'],
    choices: { ProtocolType: ['HTTP', 'WEBSOCKET'], IpAddressType: ['ipv4', 'dualstack'] },
  },
  'AWS::ApiGatewayV2::Integration': {
    choices: { IntegrationType: ['AWS_PROXY', 'HTTP_PROXY'], PayloadFormatVersion: ['1.0', '2.0'] },
  },
  'AWS::CloudWatch::Alarm': {
    required: ['ComparisonOperator', 'EvaluationPeriods'],
    choices: {
      ComparisonOperator: [
        'GreaterThanOrEqualToThreshold',
        'GreaterThanThreshold',
        'LessThanThreshold',
        'LessThanOrEqualToThreshold',
      ],
      EvaluateLowSampleCountPercentile: ['evaluate', 'ignore'],
      Statistic: ['Average', 'Maximum', 'Minimum', 'SampleCount', 'Sum'],
      TreatMissingData: ['breaching', 'ignore', 'missing', 'notBreaching'],
    },
  },
  'AWS::DynamoDB::GlobalTable': { choices: { BillingMode: ['PAY_PER_REQUEST', 'PROVISIONED'] } },
  'AWS::Lambda::EventSourceMapping': {
    choices: {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      StartingPosition: ['AT_TIMESTAMP', 'LATEST', 'TRIM_HORIZON'],
    },
  },
  'AWS::Lambda::Function': {
    required: ['Handler', 'Runtime'],
    choices: {
      Architectures: ['arm64', 'x86_64'],
      RecursiveLoop: ['Allow', 'Terminate'],
      Runtime: ['nodejs22.x', 'nodejs24.x', 'python3.13', 'python3.14'],
    },
  },
  'AWS::SNS::Subscription': { required: ['TopicArn', 'Protocol'] },
};

/** Returns a resource's violations of these rules, as `<path>: <problem>`. */
export function problemsByDocumentation(type: string, properties: JsonObject): string[] {
  const { required = [], choices = {} } = additions[type] ?? {};
  const missing = required.filter((name) => properties[name] === undefined);
  const wrong = Object.entries(choices).flatMap(([name, allowed]) =>
    [properties[name] ?? []]
      .flat()
      .flatMap((value: Json) =>
        callIn(value) !== undefined || allowed.includes(String(value))
          ? []
          : [`Properties.${name}: ${JSON.stringify(value)} is not one of ${allowed.join(', ')}`],
      ),
  );
  return [...missing.map((name) => `Properties.${name}: is required`), ...wrong];
}
