/** Reads functions and their roles, and the invokers of functions: routes, event source mappings and rules. */
import { join } from 'node:path';
import * as z from 'zod';
import type {
  EventSourceResource,
  FunctionResource,
  HttpApiResource,
  PolicyDocument,
  RoleResource,
  RuleResource,
} from '../model.ts';
import { count, policyDocument, readProperties } from './read-properties.ts';
import { functionArn, type Place } from './references.ts';
import type { Resources } from './stacks.ts';

const functionProperties = z.object({
  Handler: z.string(),
  Timeout: count.default(3),
  MemorySize: count.default(128),
  Environment: z.object({ Variables: z.record(z.string(), z.coerce.string()).default({}) }).optional(),
  Role: z.string(),
  ReservedConcurrentExecutions: count.optional(),
  RecursiveLoop: z.enum(['Allow', 'Terminate']).default('Terminate'),
});

/**
 * Reads the service's own functions, without those that CDK adds for custom resources: they run only at deployment.
 *
 * @param overrides replaces the template's values of environment variables; keyed by variable name.
 * @throws Error if two functions have the same name.
 */
export function readFunctions(
  resources: Resources,
  overrides: Readonly<Record<string, string>>,
): readonly FunctionResource[] {
  const deploymentOnly = new Set(
    resources.all.flatMap((resource) =>
      resource.mentions('ServiceToken').map((logicalId) => `${resource.stackName}/${logicalId}`),
    ),
  );
  const functions = resources.ofType('AWS::Lambda::Function').flatMap((resource) => {
    const { stackName, logicalId, assetPath, directory } = resource;
    if (assetPath === undefined || deploymentOnly.has(`${stackName}/${logicalId}`)) return [];
    const properties = readProperties(resource, functionProperties);
    const variables = properties.Environment?.Variables ?? {};
    const reservedConcurrency = properties.ReservedConcurrentExecutions;
    return {
      name: resource.constructName ?? logicalId,
      arn: resource.attribute('Arn'),
      assetDirectory: join(directory, assetPath),
      handler: properties.Handler,
      timeoutSeconds: properties.Timeout,
      memoryMegabytes: properties.MemorySize,
      environment: mapValues(variables, (value, name) => overrides[name] ?? value),
      roleArn: properties.Role,
      ...(reservedConcurrency !== undefined && { reservedConcurrency }),
      ...(properties.RecursiveLoop === 'Allow' && { allowsLoops: true as const }),
    };
  });
  const names = functions.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`two functions of the assembly are called ${repeated}`);
  return functions;
}

const inlinePolicies = z.array(z.object({ PolicyDocument: policyDocument })).default([]);
const roleProperties = z.object({ AssumeRolePolicyDocument: policyDocument, Policies: inlinePolicies });
const attachedPolicy = z.object({ PolicyDocument: policyDocument, Roles: z.array(z.string()).default([]) });

/** Reads every role with its inline policies and the policies attached to it in any stack. */
export function readRoles(resources: Resources): readonly RoleResource[] {
  const attached = resources
    .ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .map((resource) => ({ ...readProperties(resource, attachedPolicy), arn: resource.ref }));
  return resources.ofType('AWS::IAM::Role').map((resource) => {
    const { AssumeRolePolicyDocument, Policies } = readProperties(resource, roleProperties);
    const managedArns = z.array(z.string()).default([]).parse(resource.property('ManagedPolicyArns'));
    const own = attached.filter(
      ({ Roles, arn }) => Roles.includes(resource.ref) || managedArns.includes(arn),
    );
    return {
      arn: resource.attribute('Arn'),
      trustPolicy: AssumeRolePolicyDocument as PolicyDocument,
      policies: [...Policies, ...own].map((policy) => policy.PolicyDocument as PolicyDocument),
    };
  });
}

const apiProperties = z.object({
  CorsConfiguration: z
    .object({
      AllowOrigins: z.array(z.string()).default([]),
      AllowMethods: z.array(z.string()).default([]),
      AllowHeaders: z.array(z.string()).default([]),
      ExposeHeaders: z.array(z.string()).default([]),
      MaxAge: count.optional(),
    })
    .optional(),
});
const stageProperties = z.object({
  AccessLogSettings: z.object({ Format: z.string().optional() }).optional(),
});
const routeProperties = z.object({ RouteKey: z.string(), Target: z.string().optional() });
const integrationProperties = z.object({ IntegrationUri: z.string().optional() });

/**
 * Reads the routes, the CORS rules and the format of the stage's access log. @throws Error for a second HTTP API, or for a route
 * without a Lambda function.
 */
export function readHttpApi(resources: Resources, place: Place): HttpApiResource {
  const [api, ...others] = resources.ofType('AWS::ApiGatewayV2::Api');
  if (others.length > 0) throw new Error('the assembly has more than one HTTP API');
  const functionArns = new Map<string, string | undefined>(
    resources.ofType('AWS::ApiGatewayV2::Integration').map((resource) => {
      const uri = readProperties(resource, integrationProperties).IntegrationUri ?? '';
      return [`integrations/${resource.ref}`, /arn:aws:lambda:[^/]+/.exec(uri)?.[0]] as const;
    }),
  );
  const functionOf = calledFunctions(resources, place);
  const routes = resources.ofType('AWS::ApiGatewayV2::Route').map((resource) => {
    const { RouteKey, Target } = readProperties(resource, routeProperties);
    const functionArn = functionArns.get(Target ?? '');
    if (functionArn === undefined)
      throw new Error(`the route ${RouteKey} has no Lambda function as its target`);
    return { routeKey: RouteKey, functionArn: functionOf(functionArn) };
  });
  const cors = api === undefined ? undefined : readProperties(api, apiProperties).CorsConfiguration;
  const [stage] = resources.ofType('AWS::ApiGatewayV2::Stage');
  const accessLogFormat = stage && readProperties(stage, stageProperties).AccessLogSettings?.Format;
  const served = { routes, ...(accessLogFormat !== undefined && { accessLogFormat }) };
  if (cors === undefined) return served;
  return {
    ...served,
    cors: {
      allowedOrigins: cors.AllowOrigins,
      allowedMethods: cors.AllowMethods,
      allowedHeaders: cors.AllowHeaders,
      exposedHeaders: cors.ExposeHeaders,
      ...(cors.MaxAge !== undefined && { maxAgeSeconds: cors.MaxAge }),
    },
  };
}

const mappingProperties = z.object({
  FunctionName: z.string(),
  EventSourceArn: z.string(),
  Enabled: z.boolean().default(true),
  BatchSize: count.optional(),
  MaximumBatchingWindowInSeconds: count.default(0),
  FunctionResponseTypes: z.array(z.string()).default([]),
  ScalingConfig: z.object({ MaximumConcurrency: count.optional() }).optional(),
  ProvisionedPollerConfig: z.object({ MaximumPollers: count.optional() }).optional(),
  FilterCriteria: z.object({ Filters: z.array(z.object({ Pattern: z.string() })).default([]) }).optional(),
  BisectBatchOnFunctionError: z.boolean().default(false),
  MaximumRetryAttempts: count.default(-1),
  MaximumRecordAgeInSeconds: count.default(-1),
  ParallelizationFactor: count.default(1),
  DestinationConfig: z.object({ OnFailure: z.object({ Destination: z.string() }).optional() }).optional(),
});

/** Reads every enabled event source mapping, with Lambda's default batch sizes. */
export function readEventSources(resources: Resources, place: Place): readonly EventSourceResource[] {
  const functionOf = calledFunctions(resources, place);
  return resources.ofType('AWS::Lambda::EventSourceMapping').flatMap((resource) => {
    const properties = readProperties(resource, mappingProperties);
    if (!properties.Enabled) return [];
    const { FunctionName, EventSourceArn, DestinationConfig } = properties;
    const maximumConcurrency = maximumConcurrencyOf(properties);
    const isStream = EventSourceArn.includes(':dynamodb:');
    const onFailureArn = DestinationConfig?.OnFailure?.Destination;
    return {
      functionArn: functionOf(FunctionName),
      sourceArn: EventSourceArn,
      batchSize: properties.BatchSize ?? (isStream ? 100 : 10),
      batchingWindowSeconds: properties.MaximumBatchingWindowInSeconds,
      reportsBatchItemFailures: properties.FunctionResponseTypes.includes('ReportBatchItemFailures'),
      ...(maximumConcurrency !== undefined && { maximumConcurrency }),
      filters: (properties.FilterCriteria?.Filters ?? []).map(({ Pattern }) => JSON.parse(Pattern)),
      ...(isStream && {
        stream: {
          bisectsOnError: properties.BisectBatchOnFunctionError,
          maximumRetryAttempts: properties.MaximumRetryAttempts,
          maximumRecordAgeSeconds: properties.MaximumRecordAgeInSeconds,
          parallelizationFactor: properties.ParallelizationFactor,
          ...(onFailureArn !== undefined && { onFailureArn }),
        },
      }),
    };
  });
}

/**
 * "Each event poller can handle […] up to 10 concurrent invokes"; a mapping with pollers of its own has no other maximum.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
function maximumConcurrencyOf({
  ScalingConfig,
  ProvisionedPollerConfig,
}: z.infer<typeof mappingProperties>): number | undefined {
  const { MaximumPollers } = ProvisionedPollerConfig ?? {};
  return MaximumPollers === undefined ? ScalingConfig?.MaximumConcurrency : 10 * MaximumPollers;
}

const ruleProperties = z.object({
  ScheduleExpression: z.string().optional(),
  EventPattern: z.unknown(),
  State: z.string().default('ENABLED'),
  Targets: z.array(z.object({ Arn: z.string(), Input: z.string().optional() })).default([]),
});
const secondsPerUnit: Readonly<Record<string, number>> = { minute: 60, hour: 3600, day: 86_400 };

/**
 * Reads every enabled rule with a schedule. No service of the local cloud sends events to a bus. @throws Error for a schedule
 * that is not of the form `rate(...)`.
 */
export function readRules(resources: Resources): readonly RuleResource[] {
  return resources.ofType('AWS::Events::Rule').flatMap((resource) => {
    const { ScheduleExpression, EventPattern, State, Targets } = readProperties(resource, ruleProperties);
    if (State === 'DISABLED') return [];
    if (ScheduleExpression === undefined && EventPattern !== undefined) return [];
    const [, amount, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(ScheduleExpression ?? '') ?? [];
    const unitSeconds = secondsPerUnit[unit];
    if (unitSeconds === undefined) {
      throw new Error(
        `the rule ${resource.ref} has the schedule "${ScheduleExpression}": only rate(...) runs locally`,
      );
    }
    return {
      name: resource.ref,
      arn: resource.attribute('Arn'),
      everySeconds: Number(amount) * unitSeconds,
      targets: Targets.map(({ Arn, Input }) => ({ arn: Arn, ...(Input !== undefined && { input: Input }) })),
    };
  });
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}

const versionProperties = z.object({ FunctionName: z.string() });
const aliasProperties = z.object({
  FunctionName: z.string(),
  FunctionVersion: z.string(),
  RoutingConfig: z.undefined({ error: 'the local cloud runs one version of a function' }),
});

/**
 * Returns a function that finds the ARN of the function that a route or a mapping calls. Locally a function has one version, which
 * is the code of the assembly.
 *
 * @throws Error for an alias of a version that the assembly does not publish; the returned function, for an alias or a version
 *   that the assembly does not have
 */
function calledFunctions(resources: Resources, place: Place): (nameOrArn: string) => string {
  const versions = new Set(
    resources.ofType('AWS::Lambda::Version').map((resource) => {
      const { FunctionName } = readProperties(resource, versionProperties);
      return `${functionArn(FunctionName, place)}:${resource.attribute('Version')}`;
    }),
  );
  const aliases = new Map(
    resources.ofType('AWS::Lambda::Alias').map((resource) => {
      const { FunctionName, FunctionVersion } = readProperties(resource, aliasProperties);
      const called = functionArn(FunctionName, place);
      if (!versions.has(`${called}:${FunctionVersion}`))
        throw new Error(
          `the alias ${resource.ref} is for version ${FunctionVersion}, which no stack publishes`,
        );
      return [resource.ref, called] as const;
    }),
  );
  return (nameOrArn) => {
    const arn = functionArn(nameOrArn, place);
    const [, qualifier] = /:function:[^:]+:(.+)$/.exec(arn) ?? [];
    if (qualifier === undefined) return arn;
    const called = aliases.get(arn);
    if (called === undefined) throw new Error(`${arn} is called, but no stack has this alias`);
    return called;
  };
}
