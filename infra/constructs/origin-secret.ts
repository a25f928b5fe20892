import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CustomResource, Duration, RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { pinLogicalId } from './pin-logical-id.ts';

/**
 * The secrets by their logical ids; the last one is in use. To replace it, append an id and deploy: the functions and the distribution
 * change to the new secret. Remove the id before it with the next deployment: until then, other stacks import its exports.
 */
const logicalIds = ['PanelOriginSecret00F2963B'] as const;

/** A secret by which the API's functions know that a request has come through the panel's distribution. */
export interface OriginSecret {
  /** The value for the distribution, which alone may have it. */
  readonly secretArn: string;
  /** The secret's SHA-256, by which functions recognize it. Nobody can pass for the distribution with it. */
  readonly digest: string;
}

/** Creates the secrets, the one in use last. */
export function createOriginSecrets(
  scope: Construct,
  stage: Stage,
  ids: readonly string[] = logicalIds,
): readonly OriginSecret[] {
  const secrets = ids.map((id) => ({ id, secret: createSecret(scope, id) }));
  const digester = createDigester(
    Stack.of(scope),
    secrets.map(({ secret }) => secret.secretArn),
    stage,
  );
  return secrets.map(({ id, secret: { secretArn } }) => {
    const digest = new CustomResource(scope, `${id}Digest`, {
      resourceType: 'Custom::SecretDigest',
      serviceToken: digester.functionArn,
      properties: { SecretArn: secretArn },
      serviceTimeout: Duration.minutes(5),
    });
    pinLogicalId(digest, `${id}Digest`);
    return { secretArn, digest: digest.getAttString('Digest') };
  });
}

function createSecret(scope: Construct, id: string): Secret {
  const secret = new Secret(scope, id, {
    description: 'Sent by the panel’s distribution with each request to the HTTP API',
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  pinLogicalId(secret, id);
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'CloudFront and the functions must change to a new value together, which only a deployment does. People never see the value.',
  });
  return secret;
}

/** Creates the one function that reads the secrets. CloudFormation cannot compute a digest itself. It runs only during deployments. */
function createDigester(stack: Stack, secretArns: readonly string[], stage: Stage): LambdaFunction {
  const scope = new Construct(stack, 'Custom::SecretDigest');
  const logGroup = new LogGroup(scope, 'Log', {
    retention: stage.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const allow = (actions: string[], resources: string[]) => new PolicyStatement({ actions, resources });
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      rights: new PolicyDocument({
        statements: [
          allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]),
          allow(['secretsmanager:GetSecretValue'], [...secretArns]),
        ],
      }),
    },
  });
  return new LambdaFunction(scope, 'Handler', {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: Code.fromInline(
      readFileSync(join(import.meta.dirname, '../deployment-functions/secret-digest.js'), 'utf8'),
    ),
    timeout: Duration.seconds(30),
    role: role.withoutPolicyUpdates(),
    logGroup,
  });
}

/** Returns the text that CloudFormation replaces with the secret's value when it deploys a resource that contains it. */
export function valueOfSecret(secretArn: string): string {
  // Unwrapped on purpose: a header takes text. The template has only the reference.
  return SecretValue.secretsManager(secretArn).unsafeUnwrap();
}
