import { Duration, RemovalPolicy, Size } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Setting } from '../../lib/api-contract/rights.ts';
import type { BundleDirectory } from '../bundling.ts';
import {
  defaultMemoryMegabytes,
  defaultTimeoutSeconds,
  type FunctionDefinition,
} from '../functions/definition.ts';
import type { Stage } from '../stages.ts';
import { acknowledgeWildcards } from './acknowledge-wildcards.ts';
import type { Right } from './rights.ts';

export interface ServiceFunctionProps {
  readonly stage: Stage;
  readonly bundles: BundleDirectory;
  /** Rights in addition to writing its own log. Each right adds the environment variables that name its resources. */
  readonly rights: readonly Right[];
  /** Values of the settings that functions of this stack may ask for. */
  readonly settings: Partial<Record<Setting, string>>;
  /** True if Lambda must not stop event chains that invoke the function again and again. */
  readonly allowsLoops?: boolean;
}

/**
 * Creates a function with its own role and log group. Its rights are an inline policy of the role, which saves a resource
 * per function.
 *
 * @throws Error if the function asks for a setting that `settings` lacks
 */
export function createServiceFunction(
  scope: Construct,
  definition: FunctionDefinition<unknown>,
  { stage, bundles, rights, settings, allowsLoops = false }: ServiceFunctionProps,
): LambdaFunction {
  const { name, memoryMegabytes, temporaryMegabytes, timeoutSeconds } = definition;
  const reserves: Readonly<Record<string, number>> = stage.reservedConcurrency ?? {};
  const logGroup = new LogGroup(scope, `${name}-log`, {
    retention: stage.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, `${name}-role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      rights: new PolicyDocument({
        statements: [
          toStatement({
            actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
            resources: [logGroup.logGroupArn],
          }),
          ...rights.map(toStatement),
        ],
      }),
    },
  });
  acknowledgeWildcards(role, rights);
  return new LambdaFunction(scope, name, {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(bundles(name)),
    handler: 'index.handler',
    memorySize: memoryMegabytes ?? defaultMemoryMegabytes,
    timeout: Duration.seconds(timeoutSeconds ?? defaultTimeoutSeconds),
    ...(temporaryMegabytes !== undefined && { ephemeralStorageSize: Size.mebibytes(temporaryMegabytes) }),
    environment: {
      STAGE: stage.name,
      POWERTOOLS_SERVICE_NAME: name,
      ...Object.assign({}, ...rights.map(({ variables }) => variables)),
      ...settingVariables(definition, settings),
    },
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    ...(allowsLoops && { recursiveLoop: RecursiveLoop.ALLOW }),
    ...(reserves[name] !== undefined && { reservedConcurrentExecutions: reserves[name] }),
  });
}

function settingVariables(
  { name, settings = [] }: FunctionDefinition<unknown>,
  values: Partial<Record<Setting, string>>,
): Record<string, string> {
  return Object.fromEntries(
    settings.map((setting) => {
      const value = values[setting];
      if (value === undefined)
        throw new Error(`${name} asks for the setting ${setting}, which its stack does not provide`);
      return [setting, value];
    }),
  );
}

function toStatement({ effect, actions, resources, conditions }: Right): PolicyStatement {
  return new PolicyStatement({
    ...(effect && { effect: Effect[effect.toUpperCase() as Uppercase<typeof effect>] }),
    actions: [...actions],
    resources: [...resources],
    ...(conditions && { conditions }),
  });
}
