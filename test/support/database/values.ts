import { isDeepStrictEqual } from 'node:util';
import type { Item } from './database.ts';
import { AwsError, refuse } from './errors.ts';

/** DynamoDB counts the item as one level. */
const mostLevels = 32;

/**
 * Copies a value as the document client and DynamoDB would: without undefined members, and sharing nothing with it.
 *
 * @throws TypeError if DynamoDB cannot store the value, or the document client cannot send it
 */
export function copyOf<Value>(value: Value): Value {
  return value === undefined ? value : (copy(value, 1) as Value);
}

function copy(value: unknown, level: number): unknown {
  switch (typeof value) {
    case 'string':
      if (value.isWellFormed()) return value;
      throw new AwsError('SerializationException', 'A text is not well-formed Unicode.');
    case 'boolean':
      return value;
    case 'number':
      // JSON has no -0.
      if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value + 0;
      throw new TypeError(`DynamoDB's client cannot send the number ${value}`);
    case 'object':
      return value === null ? null : copyObject(value, level);
    default:
      throw new TypeError(`DynamoDB cannot store a ${typeof value}`);
  }
}

function copyObject(value: object, level: number): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (value instanceof Set) return copySet(value);
  if (level > mostLevels)
    refuse(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    );
  if (Array.isArray(value))
    return value.filter((part) => part !== undefined).map((part) => copy(part, level + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(`DynamoDB cannot store a ${value.constructor.name}`);
  const copied: Item = {};
  for (const [name, part] of Object.entries(value)) {
    // The SDK loses a member of this name too.
    if (part !== undefined && name !== '__proto__') copied[name] = copy(part, level + 1);
  }
  return copied;
}

function copySet(value: ReadonlySet<unknown>): unknown {
  const [first] = value;
  if (value.size === 0) throw new TypeError('DynamoDB cannot store an empty set');
  for (const member of value) {
    if (typeof member !== typeof first || (typeof member !== 'string' && typeof member !== 'number'))
      throw new TypeError('the database in memory has sets of texts and sets of numbers only');
    if (member === '')
      refuse(
        'One or more parameter values were invalid: An string set may not have a empty string as a member',
      );
  }
  return new Set(value);
}

/** A type of DynamoDB, such as `S`. */
export type Type = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'L' | 'M' | 'SS' | 'NS';

export function typeOf(value: unknown): Type {
  switch (typeof value) {
    case 'string':
      return 'S';
    case 'number':
      return 'N';
    case 'boolean':
      return 'BOOL';
    default:
      if (value === null) return 'NULL';
      if (Array.isArray(value)) return 'L';
      if (value instanceof Uint8Array) return 'B';
      if (value instanceof Set) return typeof [...value][0] === 'string' ? 'SS' : 'NS';
      return 'M';
  }
}

export const isMap = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && typeOf(value) === 'M';

export const isEqual = isDeepStrictEqual;

/** Negative if `one` is less, positive if it is more; NaN if the values cannot be compared, as if one does not exist. */
export function compare(one: unknown, other: unknown): number {
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other);
  return Number.NaN;
}

/** DynamoDB compares the bytes of UTF-8. UTF-16 has another order for what is beyond its surrogates. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  if (/[\ud800-\uffff]/.test(one) && /[\ud800-\uffff]/.test(other))
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : 1;
}

/**
 * The size of an item or a value in bytes.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function sizeOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return Buffer.byteLength(value);
    case 'number':
      return numberSize(value);
    case 'object':
      if (value === null) return 1;
      if (Array.isArray(value)) return value.reduce((sum: number, part) => sum + 1 + sizeOf(part), 3);
      if (value instanceof Uint8Array) return value.length;
      if (value instanceof Set) return [...value].reduce((sum: number, part) => sum + sizeOf(part), 0);
      return Object.entries(value).reduce(
        (sum, [name, part]) => sum + 1 + Buffer.byteLength(name) + sizeOf(part),
        3,
      );
    default:
      return 1;
  }
}

/** The size of an item: that of a map without its overhead. */
export function itemSize(item: Item): number {
  let size = 0;
  for (const name in item) size += Buffer.byteLength(name) + sizeOf(item[name]);
  return size;
}

/** A byte for every two significant digits, and one more. */
function numberSize(number: number): number {
  const digits = /\d/.test(String(number)) ? significantDigits(number) : 0;
  return Math.ceil(digits / 2) + 1 + (number < 0 ? 1 : 0);
}

function significantDigits(number: number): number {
  const [mantissa = ''] = String(Math.abs(number)).split('e');
  return mantissa.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;
}

/** Adds decimal numbers exactly, as DynamoDB does. */
export function sumOf(one: number, other: number): number {
  const sum = one + other;
  if (Number.isSafeInteger(one) && Number.isSafeInteger(other)) return sum;
  const places = Math.max(decimalPlaces(one), decimalPlaces(other));
  return Number(sum.toFixed(Math.min(places, 100)));
}

function decimalPlaces(number: number): number {
  const [mantissa = '', exponent = '0'] = String(number).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}
