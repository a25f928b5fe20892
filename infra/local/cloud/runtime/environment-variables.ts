import type { FunctionResource } from '../model.ts';

/** The credentials that a function signs its AWS calls with. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/**
 * Returns all variables of an execution environment: the template's, and those that Lambda itself sets. The variables of the
 * local cloud's own process are not passed on. https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 *
 * @param options.endpointUrl the endpoint of all AWS services, for the SDK's own variable.
 */
export function environmentVariables(
  resource: FunctionResource,
  options: { region: string; endpointUrl: string; credentials: Credentials; logStreamName: string },
): Record<string, string> {
  return {
    ...resource.environment,
    _HANDLER: resource.handler,
    AWS_ACCESS_KEY_ID: options.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: options.credentials.secretAccessKey,
    AWS_SESSION_TOKEN: options.credentials.sessionToken,
    AWS_REGION: options.region,
    AWS_DEFAULT_REGION: options.region,
    AWS_ENDPOINT_URL: options.endpointUrl,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: resource.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(resource.memoryMegabytes),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${resource.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: options.logStreamName,
    LAMBDA_TASK_ROOT: resource.assetDirectory,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    // A folder that does not exist, as in Lambda, so that the SDK does not read the developer's AWS profile.
    HOME: '/home/sbx_user1051',
  };
}
