import { Attribute, type Condition, Placeholders } from './condition.ts';

/** The changes of an update to one item, and its condition. */
export interface ItemUpdate {
  /**
   * New values by attribute. `undefined` leaves the attribute unchanged, {@link removed} removes it, {@link plus} and
   * {@link ifAbsent} use its present value, and an {@link Attribute} is copied with its value before the update.
   */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Numbers to add (to 0 if the attribute does not exist), and texts to add to sets. */
  readonly add?: Readonly<Record<string, number | ReadonlySet<string>>>;
  /** Texts to take out of sets. A set that becomes empty is removed. */
  readonly takeOut?: Readonly<Record<string, ReadonlySet<string>>>;
  readonly if: Condition;
}

/** A new value that removes the attribute. */
export const removed = Symbol('removed');

/** Turns `null` values into {@link removed}. */
export function removingNulls(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value === null ? removed : value]),
  );
}

/** Turns `undefined` values into {@link removed}. */
export function removingUndefined(values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === undefined ? removed : value]),
  );
}

type NewValue = (name: string, place: (value: unknown) => string) => string;

/** Returns a new value: the present number plus this one. */
export const plus =
  (number: number): NewValue =>
  (name, place) =>
    `${name} + ${place(number)}`;

/** Returns a new value: the present one or, if there is none, this one. */
export const ifAbsent =
  (value: unknown): NewValue =>
  (name, place) =>
    `if_not_exists(${name}, ${place(value)})`;

/** Returns the expressions of an update, for `UpdateItem` and for transactions. */
export function updateExpressions({ set = {}, add = {}, takeOut = {}, if: condition }: ItemUpdate) {
  const placeholders = new Placeholders();
  const given = Object.entries(set).filter(([, value]) => value !== undefined);
  const removals = given.filter(([, value]) => value === removed).map(([path]) => placeholders.name(path));
  const assignments = given
    .filter(([, value]) => value !== removed)
    .map(([path, value]) => {
      const name = placeholders.name(path);
      const place = (operand: unknown) => placeholders.operand(operand, path);
      return `${name} = ${typeof value === 'function' ? (value as NewValue)(name, place) : place(value)}`;
    });
  const withValue = ([path, value]: [string, unknown]) =>
    `${placeholders.name(path)} ${placeholders.value(value, path)}`;
  const additions = Object.entries(add).map(withValue);
  const deletions = Object.entries(takeOut).map(withValue);
  const clauses = { SET: assignments, REMOVE: removals, ADD: additions, DELETE: deletions };
  const ConditionExpression = placeholders.condition(condition);
  return {
    UpdateExpression: Object.entries(clauses)
      .filter(([, parts]) => parts.length > 0)
      .map(([clause, parts]) => `${clause} ${parts.join(', ')}`)
      .join(' '),
    ...(ConditionExpression !== '' && { ConditionExpression }),
    ...placeholders.attributes,
  };
}
