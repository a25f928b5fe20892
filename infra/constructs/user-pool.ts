import { Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  PasskeyUserVerification,
  UserPool,
  UserPoolEmail,
} from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import type { MailSettings, Stage } from '../stages.ts';
import { pinLogicalId, removalPolicyOf } from './pin-logical-id.ts';

/**
 * Creates the identity provider of the panel: people sign in with a passkey or with a code that they receive by email. Only
 * people who are invited to a workspace have a user here; the invitation creates it, without a password.
 *
 * Without the setting `mail`, Cognito sends the codes itself, at most 50 emails a day.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-email.html
 */
export function createUserPool(scope: Construct, stage: Stage): UserPool {
  const pool = new UserPool(scope, 'UserPool', {
    featurePlan: FeaturePlan.ESSENTIALS,
    selfSignUpEnabled: false,
    signInAliases: { email: true },
    signInCaseSensitive: false,
    autoVerify: { email: true },
    // If a user could take a colleague's address, a later invitation of the colleague would find that user, with a passkey that
    // the colleague does not know of. The panel's client is public, so any user can use it to get a token for Cognito's API,
    // which can change mutable attributes. Cognito never changes this setting of a pool; to correct an address, delete the user
    // and invite again.
    standardAttributes: { email: { required: true, mutable: false } },
    // Cognito requires passwords to be allowed. Users are created without one; they can set their own with a token for Cognito's
    // API.
    signInPolicy: { allowedFirstAuthFactors: { password: true, emailOtp: true, passkey: true } },
    passkeyUserVerification: PasskeyUserVerification.REQUIRED,
    accountRecovery: AccountRecovery.NONE,
    passwordPolicy: {
      minLength: 20,
      requireLowercase: true,
      requireUppercase: true,
      requireDigits: true,
      requireSymbols: true,
      tempPasswordValidity: Duration.days(1),
    },
    mfa: Mfa.OFF,
    ...(stage.mail && { email: emailFrom(stage.mail, stage.region) }),
    deletionProtection: stage.keepsData,
    removalPolicy: removalPolicyOf(stage),
  });
  pinLogicalId(pool, 'UserPool');
  // Prefixes are unique in a Region, over all accounts.
  const domain = pool.addDomain('Domain', {
    cognitoDomain: { domainPrefix: `herald-${stage.name}-${Stack.of(scope).account}` },
    managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
  });
  // Passkeys are for this host. It is deleted with its stack: otherwise its name would be taken if the stack is created again.
  pinLogicalId(domain, 'UserPoolDomainD0EA232A');
  Validations.of(pool).acknowledge(
    {
      id: 'AwsSolutions-COG2',
      reason:
        'People sign in with a passkey or a code by email. Cognito refuses passkeys if a pool requires a second factor.',
    },
    ...['AwsSolutions-COG3', 'AwsSolutions-COG8'].map((id) => ({
      id,
      reason:
        'Threat protection needs the Plus plan and watches over passwords, which nobody is given. A team that wants it uses its own identity provider.',
    })),
  );
  return pool;
}

/**
 * Returns the sender of Cognito's emails.
 *
 * @param stageRegion the default for the Region of `mail`; the settings file has one of the two
 */
function emailFrom({ fromAddress, fromName, region }: MailSettings, stageRegion?: string): UserPoolEmail {
  const sesRegion = region ?? stageRegion;
  return UserPoolEmail.withSES({
    fromEmail: fromAddress,
    ...(fromName !== undefined && { fromName }),
    ...(sesRegion !== undefined && { sesRegion }),
    // The identity is the domain, not the one address.
    sesVerifiedDomain: fromAddress.slice(fromAddress.indexOf('@') + 1),
  });
}
