import { Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { maxFunctionsPerQuery, type SavedQuery } from '../saved-queries.ts';

/**
 * Saves a query about the logs of a stack's functions. The console shows it in a folder with the stack's name.
 *
 * @param functions the stack's functions by name
 * @throws Error if the query names a function that the stack lacks, or too many functions
 */
export function saveQuery(
  stack: Stack,
  { name, functions: names, commands }: SavedQuery,
  functions: ReadonlyMap<string, LambdaFunction>,
): void {
  if (names.length > maxFunctionsPerQuery)
    throw new Error(`the query ${name} reads more than ${maxFunctionsPerQuery} logs`);
  const logGroupNames = names.map((each) => {
    const found = functions.get(each);
    if (!found) throw new Error(`the query ${name} reads the log of ${each}, which ${stack.stackName} lacks`);
    return found.logGroup.logGroupName;
  });
  new CfnQueryDefinition(stack, `Query ${name}`, {
    name: `${Stack.of(stack).stackName}/${name}`,
    logGroupNames,
    queryString: commands.join('\n| '),
  });
}
