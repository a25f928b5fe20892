/** Combines the stacks of an assembly into one set of resources; references resolve across stacks. */
import { noValue, resolve, type Scope } from './intrinsics.ts';
import type { AssemblyStack, TemplateResource } from './manifest.ts';
import { type Identity, identify, type Place } from './references.ts';

/** One resource. Properties are resolved on access, so a property that nothing reads cannot fail. */
export interface Resource {
  readonly type: string;
  readonly stackName: string;
  readonly logicalId: string;
  readonly constructName?: string;
  readonly constructPath: string;
  /** The folder that asset paths are relative to. */
  readonly directory: string;
  readonly assetPath?: string;
  readonly ref: string;
  attribute(name: string): string;
  /** @throws Error that names the stack, the resource and the value that could not be resolved. */
  property(name: string): unknown;
  /** Returns the logical ids that a property refers to, without resolving it. */
  mentions(property: string): readonly string[];
}

export interface Resources {
  ofType(...types: readonly string[]): readonly Resource[];
  all: readonly Resource[];
}

/** @param parameterValue looks up the SSM parameter that a template parameter takes its value from. */
export function linkStacks(
  stacks: readonly AssemblyStack[],
  place: Place,
  parameterValue: (name: string) => string | undefined,
): Resources {
  const exported = new Map<string, () => unknown>();
  const all: Resource[] = [];

  for (const stack of stacks) {
    const resources = new Map<string, Resource>();
    const scope = createScope(stack, place, { resources, exported, parameterValue });
    for (const [logicalId, definition] of Object.entries(stack.template.Resources)) {
      if (definition.Condition !== undefined && !scope.condition(definition.Condition)) continue;
      resources.set(logicalId, createResource(stack, logicalId, definition, scope, place));
    }
    for (const output of Object.values(stack.template.Outputs)) {
      if (output.Export === undefined) continue;
      exported.set(String(resolve(output.Export.Name, scope)), () => resolve(output.Value, scope));
    }
    all.push(...resources.values());
  }
  return { all, ofType: (...types) => all.filter((resource) => types.includes(resource.type)) };
}

interface Surroundings {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly exported: ReadonlyMap<string, () => unknown>;
  readonly parameterValue: (name: string) => string | undefined;
}

function createScope(stack: AssemblyStack, place: Place, around: Surroundings): Scope {
  const { template, stackName } = stack;
  const pseudoParameters: Readonly<Record<string, unknown>> = {
    'AWS::AccountId': place.accountId,
    'AWS::Region': place.region,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': stackName,
    'AWS::StackId': `arn:aws:cloudformation:${place.region}:${place.accountId}:stack/${stackName}/local`,
    'AWS::NotificationARNs': [],
    'AWS::NoValue': noValue,
  };

  function parameter(logicalId: string): unknown {
    const declared = template.Parameters[logicalId];
    if (declared === undefined)
      throw new Error(`stack ${stackName} has no resource or parameter ${logicalId}`);
    if (!declared.Type.startsWith('AWS::SSM::Parameter::Value')) return declared.Default ?? '';
    const value = around.parameterValue(String(declared.Default));
    if (value === undefined) {
      throw new Error(`stack ${stackName} reads the SSM parameter ${declared.Default}, which does not exist`);
    }
    return value;
  }

  const scope: Scope = {
    ref: (logicalId) =>
      Object.hasOwn(pseudoParameters, logicalId)
        ? pseudoParameters[logicalId]
        : (around.resources.get(logicalId)?.ref ?? parameter(logicalId)),
    attribute(logicalId, attribute) {
      const resource = around.resources.get(logicalId);
      if (resource === undefined) throw new Error(`stack ${stackName} has no resource ${logicalId}`);
      return resource.attribute(attribute);
    },
    importValue(exportName) {
      const value = around.exported.get(exportName);
      if (value === undefined)
        throw new Error(`stack ${stackName} imports ${exportName}, which no stack exports`);
      return value();
    },
    mapping(name, topLevelKey, secondLevelKey) {
      const value = template.Mappings[name]?.[topLevelKey]?.[secondLevelKey];
      if (value === undefined) {
        throw new Error(`stack ${stackName} has no mapping ${name}.${topLevelKey}.${secondLevelKey}`);
      }
      return value;
    },
    condition(name) {
      if (!Object.hasOwn(template.Conditions, name))
        throw new Error(`stack ${stackName} has no condition ${name}`);
      return resolve(template.Conditions[name], scope) === true;
    },
  };
  return scope;
}

function createResource(
  stack: AssemblyStack,
  logicalId: string,
  definition: TemplateResource,
  scope: Scope,
  place: Place,
): Resource {
  const where = `${stack.stackName} ${logicalId} (${definition.Type})`;
  const constructPath = String(definition.Metadata['aws:cdk:path'] ?? '');
  const constructName = constructPath.split('/').at(-2);
  const assetPath = definition.Metadata['aws:asset:path'];
  let identity: Identity | undefined;

  const named = {
    type: definition.Type,
    stackName: stack.stackName,
    logicalId,
    ...(constructName !== undefined && { constructName }),
    property(name: string): unknown {
      if (!Object.hasOwn(definition.Properties, name)) return undefined;
      try {
        const value = resolve(definition.Properties[name], scope);
        return value === noValue ? undefined : withSecrets(value, place.secretValue);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`${where}, property ${name}: ${reason}`, { cause: error });
      }
    },
  };
  const identityOnce = () => {
    identity ??= identify(named, place);
    return identity;
  };

  return {
    ...named,
    constructPath,
    directory: stack.directory,
    ...(typeof assetPath === 'string' && { assetPath }),
    get ref() {
      return identityOnce().ref;
    },
    attribute(name) {
      const value = identityOnce().attributes[name];
      if (value === undefined) throw new Error(`the attribute ${name} of ${where} is not known locally`);
      return value;
    },
    mentions: (name) => mentionedIds(definition.Properties[name]),
  };
}

/**
 * Replaces dynamic references to secrets, as CloudFormation does when it deploys a resource.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-secretsmanager.html
 */

const reference =
  /\{\{resolve:secretsmanager:(arn:aws:secretsmanager:[^:]*:[^:]*:secret:[^:}]+):SecretString:::\}\}/g;

/** @throws Error for a dynamic reference of another kind, such as one to a key of a secret's JSON */
function withSecrets(value: unknown, secretValue: (secretArn: string) => string): unknown {
  if (typeof value === 'string') {
    const text = value.replace(reference, (_, secretArn: string) => secretValue(secretArn));
    if (text.includes('{{resolve:')) throw new Error(`the dynamic reference in ${text} is not supported`);
    return text;
  }
  if (Array.isArray(value)) return value.map((element) => withSecrets(element, secretValue));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withSecrets(inner, secretValue)] as const),
  );
}

function mentionedIds(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(mentionedIds);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref' && typeof inner === 'string') return [inner];
    if (key === 'Fn::GetAtt' && Array.isArray(inner)) return [String(inner[0])];
    return mentionedIds(inner);
  });
}
