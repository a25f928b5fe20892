import { RemovalPolicy, SecretValue, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { pinLogicalId } from './pin-logical-id.ts';

/** Creates the secret by which the API's functions know that a request has come through the panel's distribution. */
export function createOriginSecret(scope: Construct): Secret {
  const secret = new Secret(scope, 'PanelOriginSecret', {
    description: 'Sent by the panel’s distribution with each request to the HTTP API',
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  pinLogicalId(secret, 'PanelOriginSecret00F2963B');
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'CloudFront and the functions must change to a new value together, which only a deployment does. People never see the value.',
  });
  return secret;
}

/** Returns the text that CloudFormation replaces with the secret's value when it deploys a resource that contains it. */
export function valueOfSecret(secretArn: string): string {
  // Unwrapped on purpose: a header and an environment variable take text. The template has only the reference.
  return SecretValue.secretsManager(secretArn).unsafeUnwrap();
}
