/**
 * Resolves CloudFormation's intrinsic functions to plain values. It knows no resource types: the `Scope` looks up the value of a
 * reference. https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 */

/** The values that an intrinsic function can look up in its stack. */
export interface Scope {
  /** Returns the value of `Ref` for a resource, a parameter or a pseudo parameter. */
  ref(logicalId: string): unknown;
  attribute(logicalId: string, attribute: string): unknown;
  importValue(exportName: string): unknown;
  mapping(name: string, topLevelKey: string, secondLevelKey: string): unknown;
  condition(name: string): boolean;
}

/** The value of `Ref: AWS::NoValue`. A property or list element with this value is omitted. */
export const noValue = Symbol('AWS::NoValue');

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, scope) => scope.ref(text(argument, 'Ref')),
  Condition: (argument, scope) => scope.condition(text(argument, 'Condition')),
  'Fn::GetAtt': (argument, scope) => {
    const [logicalId, ...attribute] = Array.isArray(argument)
      ? argument
      : text(argument, 'Fn::GetAtt').split('.');
    return scope.attribute(text(logicalId, 'Fn::GetAtt'), attribute.join('.'));
  },
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list(argument, 'Fn::Join');
    return list(resolve(parts, scope), 'Fn::Join')
      .map((part) => text(part, 'Fn::Join'))
      .join(text(separator, 'Fn::Join'));
  },
  'Fn::Sub': (argument, scope) => substitute(argument, scope),
  'Fn::Select': (argument, scope) => {
    const [index, values] = list(argument, 'Fn::Select');
    const chosen = list(resolve(values, scope), 'Fn::Select')[Number(resolve(index, scope))];
    if (chosen === undefined) throw new Error('Fn::Select: no value at that index');
    return chosen;
  },
  'Fn::Split': (argument, scope) => {
    const [separator, source] = list(argument, 'Fn::Split');
    return text(resolve(source, scope), 'Fn::Split').split(text(separator, 'Fn::Split'));
  },
  'Fn::ImportValue': (argument, scope) =>
    scope.importValue(text(resolve(argument, scope), 'Fn::ImportValue')),
  'Fn::FindInMap': (argument, scope) => {
    const [name, top, second] = list(resolve(argument, scope), 'Fn::FindInMap').map((key) =>
      text(key, 'Fn::FindInMap'),
    );
    return scope.mapping(name ?? '', top ?? '', second ?? '');
  },
  'Fn::Base64': (argument, scope) =>
    Buffer.from(text(resolve(argument, scope), 'Fn::Base64')).toString('base64'),
  'Fn::If': (argument, scope) => {
    const [condition, whenTrue, whenFalse] = list(argument, 'Fn::If');
    return resolve(scope.condition(text(condition, 'Fn::If')) ? whenTrue : whenFalse, scope);
  },
  'Fn::Equals': (argument, scope) => {
    const [left, right] = list(resolve(argument, scope), 'Fn::Equals');
    return JSON.stringify(left) === JSON.stringify(right);
  },
  'Fn::And': (argument, scope) => list(argument, 'Fn::And').every((part) => resolve(part, scope) === true),
  'Fn::Or': (argument, scope) => list(argument, 'Fn::Or').some((part) => resolve(part, scope) === true),
  'Fn::Not': (argument, scope) => resolve(list(argument, 'Fn::Not')[0], scope) !== true,
};

/**
 * Replaces every intrinsic function in a template value with its result.
 *
 * @throws Error that names the unsupported function or the invalid argument.
 */
export function resolve(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value))
    return value.map((element) => resolve(element, scope)).filter((element) => element !== noValue);
  if (typeof value !== 'object' || value === null) return value;
  const call = asIntrinsic(value);
  if (call !== undefined) return call.intrinsic(call.argument, scope);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, resolve(inner, scope)] as const)
      .filter(([, inner]) => inner !== noValue),
  );
}

function asIntrinsic(value: object): { intrinsic: Intrinsic; argument: unknown } | undefined {
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) return undefined;
  const [name, argument] = entry;
  // A policy statement also has a `Condition`, but with an object as its value.
  if (name === 'Condition' && typeof argument !== 'string') return undefined;
  const intrinsic = Object.hasOwn(intrinsics, name) ? intrinsics[name] : undefined;
  if (intrinsic === undefined && name.startsWith('Fn::')) throw new Error(`${name} is not supported`);
  return intrinsic === undefined ? undefined : { intrinsic, argument };
}

function substitute(argument: unknown, scope: Scope): string {
  const [pattern, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const values = resolve(variables, scope) as Record<string, unknown>;
  return text(pattern, 'Fn::Sub').replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal === '!') return `\${${name}}`;
    if (Object.hasOwn(values, name)) return text(values[name], 'Fn::Sub');
    const [logicalId = '', ...attribute] = name.split('.');
    const value = attribute.length > 0 ? scope.attribute(logicalId, attribute.join('.')) : scope.ref(name);
    return text(value, 'Fn::Sub');
  });
}

function text(value: unknown, usedBy: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`${usedBy}: ${JSON.stringify(value)} is not text`);
}

function list(value: unknown, usedBy: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${usedBy}: ${JSON.stringify(value)} is not a list`);
}
