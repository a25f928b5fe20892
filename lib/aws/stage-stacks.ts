import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { awsClientOptions } from './client-options.ts';

/**
 * Reads the status of each stack whose name begins with this text, such as `UPDATE_COMPLETE`, for operators.
 *
 * @param region by default the shell's
 * @returns the statuses by the names of the stacks
 */
export async function readStackStatuses(
  prefix: string,
  region?: string,
  client = new CloudFormationClient(awsClientOptions(region === undefined ? {} : { region }, 10_000)),
): Promise<Map<string, string>> {
  const statuses = new Map<string, string>();
  let NextToken: string | undefined;
  do {
    const page = await client.send(new DescribeStacksCommand({ NextToken }));
    for (const { StackName = '', StackStatus = '' } of page.Stacks ?? [])
      if (StackName.startsWith(prefix)) statuses.set(StackName, StackStatus);
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return statuses;
}

/**
 * Reads the template of a stack as it was deployed, as text.
 *
 * @param region by default the shell's
 * @returns `undefined` if there is no such stack in this account and Region
 */
export async function readStackTemplate(
  name: string,
  region?: string,
  client = new CloudFormationClient(awsClientOptions(region === undefined ? {} : { region }, 10_000)),
): Promise<string | undefined> {
  const command = new GetTemplateCommand({ StackName: name, TemplateStage: 'Original' });
  return unlessMissing(async () => (await client.send(command)).TemplateBody);
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

const describeStack = (name: string, client: CloudFormationClient): Promise<Stack | undefined> =>
  unlessMissing(async () => (await client.send(new DescribeStacksCommand({ StackName: name }))).Stacks?.[0]);

/** Returns `undefined` if the request is about a stack that does not exist. */
async function unlessMissing<Answer>(request: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request();
  } catch (error) {
    // CloudFormation has no error of its own for this.
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message))
      return undefined;
    throw error;
  }
}
