import { readAssembly } from '@herald/local-cloud/assembly/assembly.ts';
import { environmentVariables } from '@herald/local-cloud/runtime/environment-variables.ts';

/** Nothing listens at this address: measured functions must not call AWS. */
const nowhere = 'http://127.0.0.1:1';

export type Variables = Readonly<Record<string, string>>;

/**
 * The environment variables of every function, by its name, as the local cloud sets them: those of the template and those
 * that Lambda sets. Functions read them when they start. They lead to no AWS service.
 *
 * @param assemblyDirectory the synthesized service
 */
export function deployedEnvironments(assemblyDirectory: string): ReadonlyMap<string, Variables> {
  const addresses = { endpointUrl: nowhere, apiUrl: nowhere, edgeUrl: () => nowhere };
  const { functions, region } = readAssembly({ directory: assemblyDirectory, addresses });
  const options = {
    region,
    endpointUrl: nowhere,
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench', sessionToken: 'bench' },
    logStreamName: 'bench',
  };
  return new Map(functions.map((each) => [each.name, environmentVariables(each, options)]));
}

/** @throws Error if the service has no function with that name */
export function environmentOfFunction(environments: ReadonlyMap<string, Variables>, name: string): Variables {
  const variables = environments.get(name);
  if (variables === undefined) throw new Error(`the template has no function ${name}`);
  return variables;
}
