import {
  AdminCreateUserCommand,
  CognitoIdentityProviderClient,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { type AwsAccess, awsClientOptions } from './client-options.ts';

/** Creates the users of a user pool. It knows neither invitations nor members. */
export interface UserDirectory {
  /** Creates the user unless it exists. @param email the address in lower case */
  readonly admit: (email: string) => Promise<void>;
}

/**
 * Opens a user pool whose users sign in with their email address and without passwords.
 *
 * - No temporary password: in a pool with one-time codes by email, such a user has none, and needs a verified address.
 * - `SUPPRESS`: Cognito's own message is about a password that the user does not have.
 *
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminCreateUser.html
 */
export function openUserDirectory(userPoolId: string, access?: AwsAccess): UserDirectory {
  const client = new CognitoIdentityProviderClient(awsClientOptions(access));
  return {
    admit: async (email) => {
      try {
        await client.send(
          new AdminCreateUserCommand({
            UserPoolId: userPoolId,
            Username: email,
            UserAttributes: [
              { Name: 'email', Value: email },
              { Name: 'email_verified', Value: 'true' },
            ],
            MessageAction: 'SUPPRESS',
          }),
        );
      } catch (error) {
        // The user was invited before, perhaps by another workspace; or the response to the first request was lost.
        if (!(error instanceof UsernameExistsException)) throw error;
      }
    },
  };
}
