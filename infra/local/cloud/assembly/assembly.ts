/** Reads a synthesized cloud assembly (`cdk.out`) into the model that the local cloud runs. */
import type { CloudModel, ParameterResource } from '../model.ts';
import { readBuckets, readUploads } from './buckets.ts';
import { readEventSources, readFunctions, readHttpApi, readRoles, readRules } from './compute.ts';
import { readDistributions } from './distributions.ts';
import { type AssemblyStack, readStacks } from './manifest.ts';
import type { Place } from './references.ts';
import { linkStacks } from './stacks.ts';
import {
  parameterArn,
  readEncryptionKeys,
  readParameters,
  readQueues,
  readScheduleGroups,
  readTables,
} from './storage.ts';

/** The account id if no stack of the assembly names an account or a region. AWS never assigns this id. */
const unboundAccountId = '000000000000';
const unboundRegion = 'us-east-1';

export interface AssemblyOptions {
  /** The `cdk.out` folder. */
  readonly directory: string;
  readonly addresses: Pick<Place, 'endpointUrl' | 'apiUrl' | 'edgeUrl'>;
  /** If absent, every secret's value is its ARN. */
  readonly secretValue?: Place['secretValue'];
  /** Replaces the template's values of functions' environment variables; keyed by variable name. */
  readonly environmentOverrides?: Readonly<Record<string, string>>;
  /** Parameters that an operator sets by hand in AWS, such as the secrets of a platform's app. They replace the template's. */
  readonly parameters?: readonly Pick<ParameterResource, 'name' | 'type' | 'value'>[];
}

/**
 * Reads the assembly and resolves every reference.
 *
 * @throws Error that names the stack, the resource and the attribute or property that cannot be resolved.
 */
export function readAssembly(options: AssemblyOptions): CloudModel {
  const stacks = stacksOfOneRegion(readStacks(options.directory));
  const place: Place = {
    accountId: stacks.find(({ accountId }) => accountId !== undefined)?.accountId ?? unboundAccountId,
    region: stacks.find(({ region }) => region !== undefined)?.region ?? unboundRegion,
    secretValue: options.secretValue ?? ((secretArn) => secretArn),
    ...options.addresses,
  };
  const handSet = (options.parameters ?? []).map((parameter) => ({
    ...parameter,
    arn: parameterArn(parameter.name, place),
  }));
  const resources = linkStacks(
    stacks,
    place,
    (name) => handSet.find((parameter) => parameter.name === name)?.value,
  );
  return {
    region: place.region,
    accountId: place.accountId,
    functions: readFunctions(resources, options.environmentOverrides ?? {}),
    roles: readRoles(resources),
    api: readHttpApi(resources, place),
    tables: readTables(resources),
    queues: readQueues(resources),
    eventSources: readEventSources(resources, place),
    scheduleGroups: readScheduleGroups(resources),
    rules: readRules(resources),
    buckets: readBuckets(resources),
    distributions: readDistributions(resources, place),
    uploads: readUploads(resources),
    encryptionKeys: readEncryptionKeys(resources),
    parameters: [
      ...readParameters(resources, place).filter(({ name }) => !handSet.some((other) => other.name === name)),
      ...handSet,
    ],
  };
}

/**
 * Returns the stacks that run here. If the others leave the Region to the deployment, a stack that names one has the copies for
 * the loss of a Region (a vault, a bucket, a replica key). This cloud has one Region and does not simulate it.
 */
function stacksOfOneRegion(stacks: readonly AssemblyStack[]): readonly AssemblyStack[] {
  const unbound = stacks.filter(({ region }) => region === undefined);
  return unbound.length > 0 ? unbound : stacks;
}

/** Returns the names (logical ids) of the assembly's distributions. Each needs an edge before the assembly can be read. */
export function distributionNames(directory: string): string[] {
  return readStacks(directory).flatMap(({ template }) =>
    Object.entries(template.Resources).flatMap(([logicalId, { Type }]) =>
      Type === 'AWS::CloudFront::Distribution' ? logicalId : [],
    ),
  );
}
