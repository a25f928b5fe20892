import type { PropertyType } from '@aws-cdk/service-spec-types';
import type { ResourceTypes } from '../../../../../infra/templates/resource-types.ts';
import { callIn, isObject, type Json, type JsonObject } from '../../../../../infra/templates/template.ts';

/**
 * Returns the problems of a property's value, as `<path>: <problem>`. The value of a call, such as `Ref`, is known only in a
 * deployment, so it may have any type.
 */
export function problemsOfValue(
  types: ResourceTypes,
  type: PropertyType,
  value: Json,
  path: string,
): string[] {
  if (callIn(value) !== undefined) return [];
  const wrong = [`${path}: ${shorten(value)} is not ${nameOf(type)}`];
  switch (type.type) {
    case 'json':
      return [];
    case 'string':
      if (typeof value === 'object') return wrong;
      return problemsOfChoice(type.allowedValues, value, path);
    case 'date-time':
      return typeof value === 'string' ? [] : wrong;
    case 'boolean':
      return typeof value === 'boolean' || value === 'true' || value === 'false' ? [] : wrong;
    case 'integer':
      if (!Number.isInteger(numberIn(value))) return wrong;
      return problemsOfChoice(type.allowedValues, value, path);
    case 'number':
      return Number.isNaN(numberIn(value)) ? wrong : [];
    case 'null':
      return value === null ? [] : wrong;
    case 'tag':
      return isObject(value) ? [] : wrong;
    case 'array':
      if (!Array.isArray(value)) return wrong;
      return value.flatMap((each, index) => problemsOfValue(types, type.element, each, `${path}[${index}]`));
    case 'map':
      if (!isObject(value)) return wrong;
      return Object.entries(value).flatMap(([key, each]) =>
        problemsOfValue(types, type.element, each, `${path}.${key}`),
      );
    case 'ref':
      return isObject(value) ? problemsOfProperties(types, types.propertiesOf(type), value, path) : wrong;
    case 'union': {
      const problems = type.types.map((each) => problemsOfValue(types, each, value, path));
      // The type with the fewest problems was most likely meant.
      return problems.toSorted((one, other) => one.length - other.length)[0] ?? [];
    }
  }
}

/** Returns the problems of an object's properties: unknown, missing, or with a wrong value. */
export function problemsOfProperties(
  types: ResourceTypes,
  known: Readonly<Record<string, { readonly type: PropertyType; readonly required?: boolean }>>,
  properties: JsonObject,
  path: string,
): string[] {
  const missing = Object.entries(known).flatMap(([name, { required }]) =>
    required && properties[name] === undefined ? [`${path}.${name}: is required`] : [],
  );
  const wrong = Object.entries(properties).flatMap(([name, value]) => {
    const property = known[name];
    return property === undefined
      ? [`${path}.${name}: is not a property`]
      : problemsOfValue(types, property.type, value, `${path}.${name}`);
  });
  return [...missing, ...wrong];
}

function problemsOfChoice(
  allowed: readonly (string | number)[] | undefined,
  value: Json,
  path: string,
): string[] {
  if (allowed === undefined || allowed.some((each) => String(each) === String(value))) return [];
  return [`${path}: ${shorten(value)} is not one of ${allowed.join(', ')}`];
}

/** Reads a number. CloudFormation also reads numbers from text. */
function numberIn(value: Json): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function nameOf(type: PropertyType): string {
  if (type.type === 'ref' || type.type === 'map') return 'an object';
  return type.type === 'array' ? 'a list' : `of the type ${type.type}`;
}

const shorten = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};
