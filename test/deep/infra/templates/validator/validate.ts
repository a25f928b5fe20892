import type { ResourceTypes } from '../../../../../infra/templates/resource-types.ts';
import {
  callsIn,
  type Json,
  type Resource,
  type Template,
  type Templates,
  textOf,
} from '../../../../../infra/templates/template.ts';
import { problemsByDocumentation } from './additions.ts';
import { problemsOfProperties } from './values.ts';

const pseudoParameters = new Set(
  [
    'AccountId',
    'NoValue',
    'NotificationARNs',
    'Partition',
    'Region',
    'StackId',
    'StackName',
    'URLSuffix',
  ].map((name) => `AWS::${name}`),
);

/** Returns true for custom resources: functions of ours or of CDK, whose attributes and properties are unknown before they run. */
const isCustom = (type: string): boolean =>
  type.startsWith('Custom::') ||
  type === 'AWS::CloudFormation::CustomResource' ||
  type === 'AWS::CDK::Metadata';

/**
 * Returns the problems of the templates, as `<stack> <logical id> <path>: <problem>`: unknown types, properties, values and
 * attributes, dangling or cyclic references, and imports that no other stack exports. It is independent of CDK, which generates
 * the templates.
 */
export function validateTemplates(templates: Templates, types: ResourceTypes): string[] {
  const exported = new Map<string, string>();
  const problems: string[] = [];
  for (const [stack, { Outputs = {} }] of templates) {
    for (const [id, { Export }] of Object.entries(Outputs)) {
      const name = textOf(Export?.Name);
      if (name === undefined) continue;
      const other = exported.get(name);
      if (other !== undefined) problems.push(`${stack} ${id}: ${other} exports ${name} too`);
      exported.set(name, stack);
    }
  }
  for (const [stack, template] of templates) {
    const of = (where: string) => (problem: string) => `${stack} ${where} ${problem}`;
    for (const [id, resource] of Object.entries(template.Resources)) {
      problems.push(...problemsOfResource(types, template, id).map(of(id)));
      const found = problemsOfReferences(types, template, resource.Properties ?? {});
      problems.push(...found.map(of(id)));
    }
    problems.push(...problemsOfCycles(template).map((problem) => `${stack} ${problem}`));
    for (const [id, output] of Object.entries(template.Outputs ?? {}))
      problems.push(...problemsOfReferences(types, template, output.Value).map(of(id)));
    for (const { name, argument } of callsIn(template as unknown as Json)) {
      const imported = name === 'Fn::ImportValue' ? textOf(argument) : undefined;
      if (imported === undefined) continue;
      const from = exported.get(imported);
      if (from === undefined) problems.push(`${stack}: no stack exports ${imported}`);
      if (from === stack) problems.push(`${stack}: imports ${imported} from itself`);
    }
  }
  return problems;
}

function problemsOfResource(types: ResourceTypes, template: Template, id: string): string[] {
  const { Type, Properties = {}, DependsOn = [], Condition } = template.Resources[id] ?? { Type: '' };
  const problems = [DependsOn]
    .flat()
    .filter((other) => template.Resources[other] === undefined)
    .map((other) => `DependsOn: there is no resource ${other}`);
  if (!/^[A-Za-z0-9]{1,255}$/.test(id))
    problems.push('is not a logical id: use letters and digits, at most 255');
  if (Condition !== undefined && template.Conditions?.[Condition] === undefined)
    problems.push(`Condition: there is no condition ${Condition}`);
  if (isCustom(Type)) return problems;
  const type = types.find(Type);
  if (type === undefined) return [...problems, `Type: there is no type ${Type}`];
  return [
    ...problems,
    ...problemsOfProperties(types, type.properties, Properties, 'Properties'),
    ...problemsByDocumentation(Type, Properties),
  ];
}

function problemsOfReferences(types: ResourceTypes, template: Template, value: Json): string[] {
  return [...callsIn(value)].flatMap(({ name, argument }) => {
    if (name === 'Ref') return problemsOfTarget(template, String(argument));
    if (name === 'Fn::GetAtt') {
      const [id, ...attribute] = typeof argument === 'string' ? argument.split('.') : (argument as Json[]);
      return problemsOfAttribute(types, template, String(id), attribute.join('.'));
    }
    if (name === 'Fn::Sub') return problemsOfText(types, template, argument);
    if (name === 'Fn::FindInMap' && Array.isArray(argument)) {
      const map = argument[0];
      return typeof map === 'string' && template.Mappings?.[map] === undefined
        ? [`there is no mapping ${map}`]
        : [];
    }
    if (name === 'Fn::If' && Array.isArray(argument)) {
      const condition = String(argument[0]);
      return template.Conditions?.[condition] === undefined ? [`there is no condition ${condition}`] : [];
    }
    return [];
  });
}

function problemsOfTarget(template: Template, id: string): string[] {
  const exists =
    pseudoParameters.has(id) ||
    template.Resources[id] !== undefined ||
    template.Parameters?.[id] !== undefined;
  return exists ? [] : [`refers to ${id}, which is neither a resource nor a parameter`];
}

function problemsOfAttribute(
  types: ResourceTypes,
  template: Template,
  id: string,
  attribute: string,
): string[] {
  const resource = template.Resources[id];
  if (resource === undefined) return [`refers to ${id}, which is not a resource`];
  const type = types.find(resource.Type);
  if (isCustom(resource.Type) || type === undefined || attribute in type.attributes) return [];
  return [`refers to ${id}.${attribute}: ${resource.Type} has no such attribute`];
}

/** Returns the problems of the `${…}` in an Fn::Sub, apart from its own variables. */
function problemsOfText(types: ResourceTypes, template: Template, argument: Json): string[] {
  const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
  return [...String(text).matchAll(/\$\{([^!}][^}]*)\}/g)].flatMap(([, name = '']) => {
    if (typeof variables === 'object' && variables !== null && name in variables) return [];
    const [id = '', ...attribute] = name.split('.');
    return attribute.length === 0
      ? problemsOfTarget(template, id)
      : problemsOfAttribute(types, template, id, attribute.join('.'));
  });
}

/** Returns the cycles of resources that wait for each other, which CloudFormation refuses: `<id>: waits for <id>, …`. */
function problemsOfCycles({ Resources }: Template): string[] {
  const problems: string[] = [];
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): void => {
    if (done.has(id)) return;
    const start = path.indexOf(id);
    if (start >= 0) {
      problems.push(`${id}: waits for itself, by way of ${[...path.slice(start + 1), id].join(', ')}`);
      return;
    }
    for (const next of neededBy(Resources[id])) if (Resources[next]) visit(next, [...path, id]);
    done.add(id);
  };
  for (const id of Object.keys(Resources)) visit(id, []);
  return problems;
}

/** Returns the resources, parameters and pseudo parameters that a resource refers to. */
function neededBy(resource: Resource | undefined): Set<string> {
  if (resource === undefined) return new Set();
  const { DependsOn = [], Properties = {}, UpdatePolicy = {} } = resource;
  const referred = [Properties, UpdatePolicy].flatMap((value) =>
    [...callsIn(value)].flatMap(({ name, argument }) => namedIn(name, argument)),
  );
  return new Set([...[DependsOn].flat(), ...referred]);
}

function namedIn(call: string, argument: Json): string[] {
  const [first] = [argument].flat();
  if (call === 'Ref' || call === 'Fn::GetAtt') return [String(first).split('.')[0] ?? ''];
  if (call === 'Fn::Sub') return [...String(first).matchAll(/\$\{([\w:]+)/g)].map(([, name = '']) => name);
  return [];
}
