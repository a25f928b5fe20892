import { readAssembly } from '../../infra/local/cloud/assembly/assembly.ts';
import { environmentVariables } from '../../infra/local/cloud/runtime/environment-variables.ts';

/** Nobody answers there: what a measured function must not call. */
const nowhere = 'http://127.0.0.1:1';

export type Variables = Readonly<Record<string, string>>;

/**
 * The variables of every function, by its name, as the local cloud sets them: those of the template, and those that
 * Lambda sets. A function reads them when it starts; no AWS service can be reached with them.
 *
 * @param assemblyDirectory the synthesized service
 */
export function deployedEnvironments(assemblyDirectory: string): ReadonlyMap<string, Variables> {
  const addresses = { endpointUrl: nowhere, apiUrl: nowhere, mediaUrl: nowhere };
  const { functions, region } = readAssembly({ directory: assemblyDirectory, addresses });
  const options = {
    region,
    endpointUrl: nowhere,
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench', sessionToken: 'bench' },
    logStreamName: 'bench',
  };
  return new Map(functions.map((each) => [each.name, environmentVariables(each, options)]));
}

/** @throws Error if the service has no function of that name */
export function environmentOfFunction(environments: ReadonlyMap<string, Variables>, name: string): Variables {
  const variables = environments.get(name);
  if (variables === undefined) throw new Error(`the template has no function ${name}`);
  return variables;
}
