import { isDeepStrictEqual } from 'node:util';
import type { Property, Resource as SpecResource } from '@aws-cdk/service-spec-types';
import type { ResourceTypes } from './resource-types.ts';
import {
  callsIn,
  isObject,
  type Json,
  type JsonObject,
  type Resource,
  type Template,
  type Templates,
  textOf,
} from './template.ts';

/** An effect of an update that an operator should know in advance. */
export interface Change {
  readonly kind: 'replaced' | 'removed' | 'renamed' | 'kept outside the stack' | 'refused by AWS';
  readonly stack: string;
  readonly logicalId: string;
  readonly why: string;
  /** True if the update loses data, or fails and is rolled back. */
  readonly isBlocker: boolean;
}

/** Types of resources that hold irreplaceable content, in addition to those that CloudFormation's database calls stateful. */
const holdsWork = new Set(['AWS::Scheduler::ScheduleGroup', 'AWS::CloudFront::Distribution']);
/** Types that the database calls stateful, but that may be deleted. Each function has a log group, which is deleted with it. */
const expendable = new Set(['AWS::Logs::LogGroup']);
/** Types that each release creates with a new id. */
const perRelease = new Set(['AWS::Lambda::Version']);

/** Properties that cannot change, or that replace their resource, although CloudFormation's database does not say so. */
const fixedProperties: Readonly<Record<string, readonly string[]>> = {
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  'AWS::Cognito::UserPool': ['UsernameAttributes', 'AliasAttributes', 'UsernameConfiguration'],
};

/**
 * Returns everything that an update from one release's templates to another's would replace, remove or rename, and where it would
 * fail. Updates in place are not mentioned. It compares templates, so it does not know of changes by hand in AWS.
 */
export function compareTemplates(before: Templates, after: Templates, types: ResourceTypes): Change[] {
  return [...before].flatMap(([stack, old]) => {
    const next = after.get(stack);
    if (next === undefined) {
      const why = 'the stack is not in the new templates: it stays deployed until somebody deletes it';
      return [{ kind: 'kept outside the stack', stack, logicalId: '', why, isBlocker: false } as const];
    }
    const changes = [...compareResources(old, next, types), ...movedRoutes(stack, old, after)];
    const replaced = new Set(
      changes.flatMap(({ kind, logicalId }) => (kind === 'replaced' ? logicalId : [])),
    );
    return [...changes, ...refusedExports(stack, { old, next, replaced }, before)].map((change) => ({
      stack,
      ...change,
    }));
  });
}

type ChangeInStack = Omit<Change, 'stack'>;

function compareResources(old: Template, next: Template, types: ResourceTypes): ChangeInStack[] {
  const added = Object.entries(next.Resources).filter(([id]) => old.Resources[id] === undefined);
  return Object.entries(old.Resources).flatMap(([id, resource]): ChangeInStack[] => {
    const successor = next.Resources[id];
    if (successor !== undefined) return compareResource(id, resource, successor, types);
    if (perRelease.has(resource.Type)) return [];
    const twin = added.find(
      ([, { Type, Properties }]) =>
        Type === resource.Type && isDeepStrictEqual(withoutIds(Properties), withoutIds(resource.Properties)),
    );
    return [gone(id, resource, twin?.[0], types)];
  });
}

/** Returns properties as text without ids, because references and tags of a moved construct name its new neighbours. */
function withoutIds(properties: JsonObject = {}): string {
  return JSON.stringify(properties, (name, value) => (name === 'Ref' || name === 'Fn::GetAtt' ? '' : value));
}

function gone(
  logicalId: string,
  resource: Resource,
  twin: string | undefined,
  types: ResourceTypes,
): ChangeInStack {
  const name = fixedNameOf(resource, types);
  const isKept = resource.DeletionPolicy?.startsWith('Retain') === true;
  const holdsData = doesHoldData(resource, types);
  if (twin !== undefined) {
    const why = holdsData
      ? `its logical id becomes ${twin}: the update makes an empty one and ${isKept ? 'leaves the old one' : 'deletes this one'}`
      : name === undefined
        ? `its logical id becomes ${twin}: the update makes a new one and deletes this one`
        : `its logical id becomes ${twin}, and both would have the name ${name}, which AWS refuses`;
    return { kind: 'renamed', logicalId, why, isBlocker: holdsData || name !== undefined };
  }
  if (isKept)
    return {
      kind: 'kept outside the stack',
      logicalId,
      why: `${resource.Type} stays in the account and is in no stack`,
      isBlocker: holdsData,
    };
  const why = holdsData ? `${resource.Type} is deleted with what it holds` : `${resource.Type} is deleted`;
  return { kind: 'removed', logicalId, why, isBlocker: holdsData };
}

function compareResource(
  logicalId: string,
  old: Resource,
  next: Resource,
  types: ResourceTypes,
): ChangeInStack[] {
  if (old.Type !== next.Type) {
    const why = `its type changes from ${old.Type} to ${next.Type}; give the new one another logical id`;
    return [{ kind: 'refused by AWS', logicalId, why, isBlocker: true }];
  }
  const indexes = compareIndexes(logicalId, old, next);
  const type = types.find(old.Type);
  if (type === undefined) return indexes;
  const fixed = (fixedProperties[old.Type] ?? []).filter(
    (name) => !isDeepStrictEqual(old.Properties?.[name], next.Properties?.[name]),
  );
  if (fixed.length > 0) {
    const why = `${fixed.join(', ')} cannot change after its creation`;
    return [...indexes, { kind: 'refused by AWS', logicalId, why, isBlocker: true }];
  }
  const causes = replacingChanges(types, type, old.Properties ?? {}, next.Properties ?? {});
  if (causes.length === 0) return indexes;
  return [...indexes, replacement(logicalId, { old, next, causes }, types)];
}

function replacement(
  logicalId: string,
  { old, next, causes }: { old: Resource; next: Resource; causes: readonly string[] },
  types: ResourceTypes,
): ChangeInStack {
  const name = fixedNameOf(next, types);
  const keepsName = name !== undefined && name === fixedNameOf(old, types);
  const holdsData = doesHoldData(old, types);
  const because = `because of ${causes.join(', ')}`;
  const why = keepsName
    ? `${because}; the new one would have the name ${name} while the old one exists, which AWS refuses`
    : holdsData
      ? `${because}; the new one is empty`
      : because;
  return { kind: 'replaced', logicalId, why, isBlocker: keepsName || holdsData };
}

function doesHoldData(resource: Resource, types: ResourceTypes): boolean {
  if (expendable.has(resource.Type)) return false;
  const isKept = [resource.DeletionPolicy, resource.UpdateReplacePolicy].some((policy) =>
    policy?.startsWith('Retain'),
  );
  return isKept || holdsWork.has(resource.Type) || types.find(resource.Type)?.isStateful === true;
}

/** Returns the name that a template gives a resource, if two resources of the type cannot have the same name. */
function fixedNameOf({ Type, Properties = {} }: Resource, types: ResourceTypes): string | undefined {
  const type = types.find(Type);
  const names = [...(type?.primaryIdentifier ?? []), `${Type.split('::').at(-1)}Name`, 'Name'];
  const found = names.find(
    (name) => Properties[name] !== undefined && type?.properties[name]?.causesReplacement === 'yes',
  );
  return found === undefined ? undefined : (textOf(Properties[found]) ?? JSON.stringify(Properties[found]));
}

/** Returns the paths of changed properties that make CloudFormation replace the resource. */
function replacingChanges(
  types: ResourceTypes,
  { properties, additionalReplacementProperties = [] }: SpecResource,
  old: JsonObject,
  next: JsonObject,
): string[] {
  const additional = additionalReplacementProperties.map((path) => path.join('.'));
  return changedPaths(types, properties, old, next, '').flatMap(({ path, causes }) =>
    causes === 'no' && !additional.includes(path) ? [] : [causes === 'maybe' ? `${path} (perhaps)` : path],
  );
}

interface ChangedPath {
  readonly path: string;
  readonly causes: 'yes' | 'no' | 'maybe';
}

function changedPaths(
  types: ResourceTypes,
  properties: Readonly<Record<string, Property>>,
  old: JsonObject,
  next: JsonObject,
  prefix: string,
): ChangedPath[] {
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  return [...names].flatMap((name): ChangedPath[] => {
    const [from, to, property] = [old[name], next[name], properties[name]];
    if (property === undefined || isDeepStrictEqual(from, to)) return [];
    const path = `${prefix}${name}`;
    const { causesReplacement = 'no', type } = property;
    if (causesReplacement !== 'no') return [{ path, causes: causesReplacement }];
    if (type.type === 'ref' && isObject(from) && isObject(to))
      return changedPaths(types, types.propertiesOf(type), from, to, `${path}.`);
    return [{ path, causes: 'no' }];
  });
}

/** Compares the indexes of a table: DynamoDB adds or removes one index per update, and cannot change one. */
function compareIndexes(logicalId: string, old: Resource, next: Resource): ChangeInStack[] {
  if (!/^AWS::DynamoDB::(Global)?Table$/.test(old.Type)) return [];
  const [before, after] = [indexesOf(old), indexesOf(next)];
  const changed = [...before.keys(), ...after.keys()].filter((name) => before.has(name) !== after.has(name));
  const refused = (why: string): ChangeInStack => ({
    kind: 'refused by AWS',
    logicalId,
    why,
    isBlocker: true,
  });
  const altered = [...before].filter(([name, shape]) => after.has(name) && after.get(name) !== shape);
  return [
    ...(changed.length > 1
      ? [
          refused(
            `${changed.length} indexes are added or removed (${changed.join(', ')}): DynamoDB allows one in a release`,
          ),
        ]
      : []),
    ...altered.map(([name]) =>
      refused(`the index ${name} changes its keys or its projection: add one with another name`),
    ),
  ];
}

/** Returns the keys and projection of each index, by its name. */
function indexesOf({ Properties = {} }: Resource): Map<string, string> {
  const list = Properties['GlobalSecondaryIndexes'];
  if (!Array.isArray(list)) return new Map();
  return new Map(
    list
      .filter(isObject)
      .map((index) => [
        String(index['IndexName']),
        JSON.stringify([index['KeySchema'], index['Projection']]),
      ]),
  );
}

/** Finds the exports that CloudFormation would refuse to remove or change, because a deployed stack imports them. */
function refusedExports(
  stack: string,
  { old, next, replaced }: { old: Template; next: Template; replaced: ReadonlySet<string> },
  deployed: Templates,
): ChangeInStack[] {
  const exportsOf = ({ Outputs = {} }: Template) =>
    new Map(
      Object.values(Outputs).flatMap(({ Value, Export }) => {
        const name = textOf(Export?.Name);
        return name === undefined ? [] : [[name, Value] as const];
      }),
    );
  const remaining = exportsOf(next);
  return [...exportsOf(old)].flatMap(([name, value]): ChangeInStack[] => {
    const importers = [...deployed].flatMap(([other, template]) =>
      other !== stack && importsOf(template).has(name) ? other : [],
    );
    if (importers.length === 0) return [];
    const by = `which ${importers.join(', ')} imports`;
    const refused = (why: string): ChangeInStack => ({
      kind: 'refused by AWS',
      logicalId: name,
      why,
      isBlocker: true,
    });
    if (!remaining.has(name))
      return [refused(`the export is removed, ${by}; remove the import a release earlier`)];
    const target = [...callsIn(value)].flatMap(({ argument }) => String([argument].flat()[0]));
    const changes = !isDeepStrictEqual(remaining.get(name), value) || target.some((id) => replaced.has(id));
    return changes ? [refused(`the value of the export changes, ${by}`)] : [];
  });
}

function importsOf(template: Template): Set<string> {
  return new Set(
    [...callsIn(template as unknown as Json)].flatMap(({ name, argument }) =>
      name === 'Fn::ImportValue' ? (textOf(argument) ?? []) : [],
    ),
  );
}

/**
 * Finds the routes that move to another stack. An API has a route once, so the other stack cannot create it before this stack
 * removes it.
 */
function movedRoutes(stack: string, old: Template, after: Templates): ChangeInStack[] {
  const keys = routesOf(old);
  return [...after].flatMap(([other, template]) =>
    other === stack
      ? []
      : [...routesOf(template).keys()].flatMap((key): ChangeInStack[] => {
          const logicalId = keys.get(key);
          if (logicalId === undefined) return [];
          const why = `the route ${key} moves to ${other}: an API cannot have it twice, even during an update`;
          return [{ kind: 'refused by AWS', logicalId, why, isBlocker: true }];
        }),
  );
}

function routesOf({ Resources }: Template): Map<string, string> {
  return new Map(
    Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) =>
      Type === 'AWS::ApiGatewayV2::Route' ? [[String(Properties['RouteKey']), id] as const] : [],
    ),
  );
}
