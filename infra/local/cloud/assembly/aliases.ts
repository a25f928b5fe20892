/** Finds the function behind an alias. Locally a function has one version, which is the code of the assembly. */
import * as z from 'zod';
import { readProperties } from './read-properties.ts';
import { functionArn, type Place } from './references.ts';
import type { Resources } from './stacks.ts';

const versionProperties = z.object({ FunctionName: z.string() });
const aliasProperties = z.object({
  FunctionName: z.string(),
  FunctionVersion: z.string(),
  RoutingConfig: z.undefined({ error: 'the local cloud runs one version of a function' }),
});

/**
 * Returns a function that finds the ARN of the function that a route or a mapping calls.
 *
 * @throws Error for an alias of a version that the assembly does not publish; the returned function, for an alias or a version
 *   that the assembly does not have
 */
export function calledFunctions(resources: Resources, place: Place): (nameOrArn: string) => string {
  const versions = new Set(
    resources.ofType('AWS::Lambda::Version').map((resource) => {
      const { FunctionName } = readProperties(resource, versionProperties);
      return `${functionArn(FunctionName, place)}:${resource.attribute('Version')}`;
    }),
  );
  const aliases = new Map(
    resources.ofType('AWS::Lambda::Alias').map((resource) => {
      const { FunctionName, FunctionVersion } = readProperties(resource, aliasProperties);
      const called = functionArn(FunctionName, place);
      if (!versions.has(`${called}:${FunctionVersion}`))
        throw new Error(
          `the alias ${resource.ref} is for version ${FunctionVersion}, which no stack publishes`,
        );
      return [resource.ref, called] as const;
    }),
  );
  return (nameOrArn) => {
    const arn = functionArn(nameOrArn, place);
    const [, qualifier] = /:function:[^:]+:(.+)$/.exec(arn) ?? [];
    if (qualifier === undefined) return arn;
    const called = aliases.get(arn);
    if (called === undefined) throw new Error(`${arn} is called, but no stack has this alias`);
    return called;
  };
}
