import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
  type Version,
} from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Stage } from '../stages.ts';

/** The functions whose failure costs posts or links, by name. They are called through the alias `live`. */
export const functionsWithAlias: ReadonlySet<string> = new Set([
  'posts-create',
  'publish-target',
  'redirect',
]);

/** The alias of the version that calls reach. */
const aliasName = 'live';

/** The policy of CodeDeploy's role, which AWS maintains. */
const deployerPolicy = 'service-role/AWSCodeDeployRoleForLambdaLimited';

/** The number of failures per minute above which a new version is rolled back. */
const toleratedFailures = 2;

/**
 * Returns the callable of a function: its alias `live`, if it is one of `functionsWithAlias`, otherwise the function itself.
 *
 * A deployment publishes a version and moves the alias to it. In a stage that releases gradually, CodeDeploy first gives the
 * version 10 % of the calls for five minutes, and rolls it back if it fails meanwhile; CloudFormation then rolls the stack back.
 *
 * Earlier versions are kept. CloudFormation would delete them at the end of the deployment, although they may still work on a
 * target for minutes. Together the three take 0.3 MB of the 75 GB of code that an account may have; deleting the function deletes
 * them. Only a version that is rolled back is deleted: Lambda does not publish a version that equals the newest one, so the same
 * release could not be deployed again. https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html
 */
export function callableOf(handler: LambdaFunction, name: string, stage: Stage): IFunction {
  if (!functionsWithAlias.has(name)) return handler;
  const stack = Stack.of(handler);
  const version = handler.currentVersion;
  version.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  // The alias has its own scope, so that it can have the function's name, from which other constructs derive theirs.
  const alias = new Alias(new Construct(stack, `${name}-${aliasName}`), name, {
    aliasName,
    version: version as IVersion,
  });
  if (stage.releasesGradually) releaseGradually(stack, name, { handler, version, alias });
  return alias as IFunction;
}

interface Released {
  readonly handler: LambdaFunction;
  readonly version: Version;
  readonly alias: Alias;
}

/** Lets CodeDeploy move the alias. */
function releaseGradually(stack: Stack, name: string, released: Released): void {
  const scope = new Construct(stack, `${name}-release`);
  const alarms = [alarmOnCrashes(scope, name, released), alarmOnErrors(scope, name, released)];
  const { application, role } = Releases.of(stack);
  new LambdaDeploymentGroup(scope, 'Group', {
    application,
    role: role.withoutPolicyUpdates(),
    alias: released.alias,
    deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    alarms,
    autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
  });
  // The alarms must look at the new version before it gets its first call.
  for (const each of alarms) released.alias.node.addDependency(each);
}

/** Creates the alarm on timeouts, crashes, and versions that do not start. */
function alarmOnCrashes(scope: Construct, name: string, { handler, version }: Released): Alarm {
  return alarm(scope, 'Crashes', `${name} crashes or times out`, {
    namespace: 'AWS/Lambda',
    metricName: 'Errors',
    dimensionsMap: {
      FunctionName: handler.functionName,
      Resource: `${handler.functionName}:${aliasName}`,
      ExecutedVersion: version.version,
    },
  });
}

/** Creates the alarm on errors that the function has caught and logged, such as a 500 or a message that returns to its queue. */
function alarmOnErrors(scope: Construct, name: string, { handler, version }: Released): Alarm {
  const metricNamespace = `Herald/${Stack.of(scope).stackName}`;
  const metricName = `${name} errors`;
  new MetricFilter(scope, 'LoggedErrors', {
    logGroup: handler.logGroup,
    filterPattern: FilterPattern.literal('{ $.level = "ERROR" && $.version = "*" }'),
    metricNamespace,
    metricName,
    metricValue: '1',
    dimensions: { version: '$.version' },
  });
  return alarm(scope, 'Errors', `${name} logs errors`, {
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { version: version.version },
  });
}

/** Creates an alarm that notifies nobody: it fails the deployment, which the person who deploys sees. */
function alarm(
  scope: Construct,
  id: string,
  what: string,
  metric: ConstructorParameters<typeof Metric>[0],
): Alarm {
  return new Alarm(scope, id, {
    metric: new Metric({ ...metric, statistic: 'Sum', period: Duration.minutes(1) }),
    threshold: toleratedFailures,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    alarmDescription: `Rolls a release back: its version of ${what} more than ${toleratedFailures} times in a minute.`,
  });
}

/** Resources that the deployment groups of a stack share: CodeDeploy's application and role. */
class Releases extends Construct {
  readonly application: LambdaApplication;
  readonly role: Role;

  static of(stack: Stack): Releases {
    const existing = stack.node.tryFindChild('Releases');
    return existing instanceof Releases ? existing : new Releases(stack, 'Releases');
  }

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.application = new LambdaApplication(this, 'Application');
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(deployerPolicy)],
    });
    Validations.of(this.role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${deployerPolicy}]`,
      reason:
        'AWS maintains what CodeDeploy needs to move aliases. It can neither change code nor read data; only CodeDeploy may assume the role.',
    });
  }
}
