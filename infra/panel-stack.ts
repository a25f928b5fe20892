import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  CfnManagedLoginBranding,
  OAuthScope,
  UserPool,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { sessionMs } from '../lib/people/schemas.ts';
import type { HttpApi } from './constructs/http-api.ts';
import { valueOfSecret } from './constructs/origin-secret.ts';
import { PanelSite } from './constructs/panel-site.ts';
import { pinLogicalId } from './constructs/pin-logical-id.ts';
import type { DataResources } from './constructs/resources.ts';
import { uploadSite } from './constructs/site-upload.ts';
import { environmentOf, type Stage } from './stages.ts';

export interface PanelStackProps {
  readonly stage: Stage;
  /** The folder of the built site. */
  readonly site: string;
  readonly data: DataResources;
  readonly api: HttpApi;
}

/** The panel's host: its site, CloudFront in front of the site and of the API, and its client at the user pool. */
export class PanelStack extends Stack {
  constructor(scope: Construct, id: string, { stage, site, data, api }: PanelStackProps) {
    super(scope, id, { env: environmentOf(stage) });
    const { bucket, distribution } = new PanelSite(this, 'Site', {
      apiDomain: api.domain,
      originSecret: valueOfSecret(data.panelOriginSecretArn),
      hosts: { uploads: `https://${data.mediaBucketDomain}`, media: data.mediaBaseUrl },
      stage,
    });
    uploadSite(this, bucket, site, stage);
    const ownUrl = `https://${distribution.distributionDomainName}`;
    const panelUrl = stage.panelDomain ? `https://${stage.panelDomain.name}` : ownUrl;
    // CloudFront's own host also serves the panel, and people may still use it.
    const origins = [...new Set([panelUrl, ownUrl])];
    if (data.userPool !== undefined) this.registerClient(origins, data.userPool.id, data.signInParameter);
    const parameter = new StringParameter(this, 'PanelUrlParameter', {
      parameterName: data.panelUrlParameter,
      stringValue: panelUrl,
      description: 'The address of the panel',
    });
    pinLogicalId(parameter, 'PanelUrlParameter428F65CC');
    new CfnOutput(this, 'PanelUrl', { value: panelUrl });
  }

  /**
   * Registers the panel at the user pool, and tells the functions where to sign in. It is a public client with PKCE:
   * CloudFormation cannot store a client's secret as a SecureString, and a code is worthless without its verifier, which never
   * reaches a browser.
   */
  private registerClient(origins: readonly string[], userPoolId: string, parameterName: string): void {
    const pool = UserPool.fromUserPoolId(this, 'UserPool', userPoolId);
    const client = pool.addClient('Client', {
      generateSecret: false,
      authFlows: { user: true },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        // The scopes that the functions ask for: Cognito refuses a request for any other.
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: origins.map((origin) => `${origin}/api/panel/sign-in/callback`),
        logoutUrls: origins.map((origin) => `${origin}/signed-out`),
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      preventUserExistenceErrors: true,
      // Our own session replaces the first two at once, so they have the shortest validity that Cognito allows. The refresh token
      // lives as long as a session, which is checked with it.
      accessTokenValidity: Duration.minutes(5),
      idTokenValidity: Duration.minutes(5),
      refreshTokenValidity: Duration.millis(sessionMs),
      // The time in which a code that was sent by email can be entered.
      authSessionValidity: Duration.minutes(10),
    });
    pinLogicalId(client, 'UserPoolClient43258C81');
    // Cognito shows no pages for a client without a style.
    new CfnManagedLoginBranding(this, 'SignInPages', {
      userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    const signIn = new StringParameter(this, 'SignIn', {
      parameterName,
      stringValue: this.toJsonString({
        issuer: `https://cognito-idp.${this.region}.${this.urlSuffix}/${userPoolId}`,
        clientId: client.userPoolClientId,
      }),
      description: 'The address at which people sign in to the panel',
    });
    pinLogicalId(signIn, 'SignIn1BF1EF28');
  }
}
