import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../engine-table.ts';

/**
 * Copies a value as the document client and DynamoDB would: without undefined members, and sharing nothing with it.
 *
 * @throws TypeError if DynamoDB cannot store the value, or the document client cannot send it
 */
export function copyOf<Value>(value: Value): Value {
  return value === undefined ? value : (copy(value) as Value);
}

function copy(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
      throw new TypeError(`DynamoDB's client cannot send the number ${value}`);
    case 'object':
      return value === null ? null : copyObject(value);
    default:
      throw new TypeError(`DynamoDB cannot store a ${typeof value}`);
  }
}

function copyObject(value: object): unknown {
  if (Array.isArray(value)) return value.filter((part) => part !== undefined).map(copy);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (value instanceof Set) {
    if (value.size === 0) throw new TypeError('DynamoDB cannot store an empty set');
    return new Set(value);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(`DynamoDB cannot store a ${value.constructor.name}`);
  const copied: Item = {};
  for (const [name, part] of Object.entries(value)) if (part !== undefined) copied[name] = copy(part);
  return copied;
}

export const isEqual = isDeepStrictEqual;

/** Negative if `one` is less, positive if it is more; NaN if the values cannot be compared, as if one does not exist. */
export function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0;
  return Number.NaN;
}
