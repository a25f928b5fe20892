/**
 * Stands in for `@aws-sdk/credential-provider-node` in every bundle (see `docs/decisions/0003-cold-start.md`). A
 * Lambda function finds its credentials in its environment and nowhere else; the whole chain of providers (files, SSO,
 * container and instance metadata) costs some 11 ms at every cold start to find out the same.
 */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** @throws Error at the first call of AWS, when the environment holds no credentials. */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => {
    const {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
      AWS_CREDENTIAL_EXPIRATION: expiration,
    } = process.env;
    if (!accessKeyId || !secretAccessKey) throw new Error('no AWS credentials in the environment');
    return {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken && { sessionToken }),
      ...(expiration && { expiration: new Date(expiration) }),
    };
  };
}
