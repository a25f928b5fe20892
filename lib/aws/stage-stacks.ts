import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { awsClientOptions } from './client-options.ts';

/**
 * Reads the status of a stack, such as `UPDATE_COMPLETE`, for operators.
 *
 * @returns `undefined` if there is no such stack in this account and Region
 */
export async function readStackStatus(
  name: string,
  client = new CloudFormationClient(awsClientOptions({}, 10_000)),
): Promise<string | undefined> {
  return (await describeStack(name, client))?.StackStatus;
}

/**
 * Reads an output of a stack, such as `ApiUrl`, for operators.
 *
 * @returns `undefined` if there is no such stack in this account and Region, or it has no such output
 */
export async function readStackOutput(
  name: string,
  output: string,
  client = new CloudFormationClient(awsClientOptions({}, 10_000)),
): Promise<string | undefined> {
  const stack = await describeStack(name, client);
  return stack?.Outputs?.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
}

async function describeStack(name: string, client: CloudFormationClient): Promise<Stack | undefined> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return Stacks[0];
  } catch (error) {
    // CloudFormation has no error of its own for this.
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message))
      return undefined;
    throw error;
  }
}
