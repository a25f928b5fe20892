import { refuseParameter } from './graph-errors.ts';

/** A call's parameters: strings if they come from a form or the query, any JSON value otherwise. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the parameter as text, or undefined if it is missing or empty. @throws Refusal with code 100, as all readers here */
export function textField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' && typeof value !== 'number')
    refuseParameter(`Param ${name} must be a string.`);
  return String(value);
}

/** Reads a boolean, sent as a value or as text. */
export function booleanField(fields: Fields, name: string): boolean | undefined {
  const value = textField(
    { [name]: typeof fields[name] === 'boolean' ? String(fields[name]) : fields[name] },
    name,
  );
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') refuseParameter(`Param ${name} must be a boolean.`);
  return value === 'true';
}

/** Reads a whole number not below `minimum`. */
export function integerField(fields: Fields, name: string, minimum: number): number | undefined {
  const value = textField(fields, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < minimum) {
    refuseParameter(`Param ${name} must be an integer greater than or equal to ${minimum}`);
  }
  return number;
}

/** Reads a JSON value, sent as a value or as JSON text. */
export function jsonField(fields: Fields, name: string): unknown {
  const value = fields[name];
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return refuseParameter(`Param ${name} must be valid JSON.`);
  }
}

/** Reads a list of names, sent as a JSON array or separated by commas. */
export function listField(fields: Fields, name: string): readonly string[] | undefined {
  const value = fields[name];
  if (value === undefined || value === '') return undefined;
  const isPlainText = typeof value === 'string' && !value.trimStart().startsWith('[');
  const list: unknown = isPlainText ? value.split(',') : jsonField(fields, name);
  if (!Array.isArray(list)) return refuseParameter(`Param ${name} must be an array.`);
  return list.map((item) => String(item).trim());
}

/**
 * Returns the fields that a read requests, such as `id,caption,picture.type(large),attachments{target}`. `id` is always included.
 * Selections inside a field are ignored: all of its subfields are returned.
 *
 * @param known the node's fields, by name
 * @param node the kind of node for the error text, such as `IGMedia`
 */
export function selectFields(fields: Fields, known: Fields, node: string): Record<string, unknown> {
  const asked = fieldNames(textField(fields, 'fields') ?? '');
  const unknown = asked.find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    refuseParameter(`Tried accessing nonexisting field (${unknown}) on node type (${node})`);
  }
  // The answer omits a field without a value, such as the caption of a story.
  const chosen = [...asked, 'id'].filter((name) => known[name] !== undefined);
  return Object.fromEntries(chosen.map((name) => [name, known[name]]));
}

function fieldNames(list: string): string[] {
  let flat = list;
  for (let before = ''; before !== flat; ) {
    before = flat;
    flat = flat.replace(/\{[^{}]*\}/g, '');
  }
  return flat
    .split(',')
    .map((field) => field.trim().replace(/\..*$/, ''))
    .filter((name) => name !== '');
}

/** Formats a time as the Graph API does: ISO 8601 without milliseconds, with a numeric offset. */
export function graphTime(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString().replace(/\.\d{3}Z$/, '+0000');
}
