/**
 * Replaces `@aws-sdk/credential-provider-node` in every bundle (see `docs/decisions/0003-cold-start.md`). A Lambda
 * function always finds its credentials in its environment, so the chain of other providers (files, SSO, container and
 * instance metadata) would cost about 11 ms at every cold start for the same result.
 */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/**
 * Creates a provider of the environment's credentials.
 *
 * @returns a provider that throws, at the first AWS call, if the environment has no credentials
 */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => {
    const {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
      AWS_CREDENTIAL_EXPIRATION: expiration,
    } = process.env;
    if (!accessKeyId || !secretAccessKey)
      throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set');
    return {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken && { sessionToken }),
      ...(expiration && { expiration: new Date(expiration) }),
    };
  };
}
