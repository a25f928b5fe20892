/**
 * Conditions of writes and filters, as data. A condition maps each attribute to a value that it must equal or to a test
 * that it must pass, such as {@link absent}. All of them must hold.
 *
 * `{ version: 3, leaseUntil: anyOf(absent, atMost(now)) }`
 */
export interface Condition {
  readonly [attribute: string]: unknown;
  /** At least one of these must hold too. */
  readonly [either]?: readonly Condition[];
}

/** The key of the alternatives in a {@link Condition}. */
export const either = Symbol('either');

/** The condition of a write that is right whatever the item is now. It shows that this is intended. */
export const unconditionally: Condition = {};

/** Renders a test of one attribute. @param place adds a value or another attribute to the request and returns its name */
export type Test = (name: string, place: (operand: unknown) => string) => string;

/** The attribute does not exist. For `pk`: the item does not exist. */
export const absent: Test = (name) => `attribute_not_exists(${name})`;
export const present: Test = (name) => `attribute_exists(${name})`;
export const differentFrom = (operand: unknown): Test => compare('<>', operand);
export const lessThan = (operand: unknown): Test => compare('<', operand);
export const atMost = (operand: unknown): Test => compare('<=', operand);
export const moreThan = (operand: unknown): Test => compare('>', operand);
export const atLeast = (operand: unknown): Test => compare('>=', operand);

/**
 * Returns the test that the attribute is a list of maps, and that a member of one of its first elements has this value. DynamoDB
 * has no test for any element, so the text names each: 40 bytes for each of at most 4 KB (Service quotas, "Expression
 * parameters").
 *
 * @param path the attribute, again
 */
export const anyElementHas =
  (path: string, member: string, value: unknown, maxElements: number): Test =>
  (_name, place) => {
    const placed = place(value);
    const members = Array.from({ length: maxElements }, (_, index) =>
      attribute(`${path}[${index}].${member}`),
    );
    return `(${members.map((each) => `${place(each)} = ${placed}`).join(' OR ')})`;
  };

/** Returns the test that the attribute is a list or a set with at least one of these values. */
export const hasAny =
  (...values: readonly unknown[]): Test =>
  (name, place) =>
    `(${values.map((value) => `contains(${name}, ${place(value)})`).join(' OR ')})`;

/** Returns the test that any of these tests or values holds. */
export const anyOf =
  (...tests: readonly unknown[]): Test =>
  (name, place) =>
    `(${tests.map((test) => renderTest(name, test, place)).join(' OR ')})`;

/** Returns the test that all of these tests hold. */
export const allOf =
  (...tests: readonly Test[]): Test =>
  (name, place) =>
    tests.map((test) => test(name, place)).join(' AND ');

/** Another attribute of the same item, for use as the operand of a test. */
export class Attribute {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
}
export const attribute = (path: string): Attribute => new Attribute(path);

const compare =
  (operator: string, operand: unknown): Test =>
  (name, place) =>
    `${name} ${operator} ${place(operand)}`;

function renderTest(name: string, test: unknown, place: (operand: unknown) => string): string {
  return typeof test === 'function' ? (test as Test)(name, place) : `${name} = ${place(test)}`;
}

/** Collects the names and values of one request's expressions. */
export class Placeholders {
  readonly #names: Record<string, string> = {};
  readonly #values: Record<string, unknown> = {};

  /** @param path such as `status` or `chain[2].status` */
  name(path: string): string {
    return path.replace(/[A-Za-z_]\w*/g, (name) => {
      this.#names[`#${name}`] = name;
      return `#${name}`;
    });
  }

  /** @param hint a name for the value, for readers of the request, which then shows `:status` */
  value(value: unknown, hint: string): string {
    let placeholder = `:${hint.replaceAll(/\W/g, '_')}`;
    while (placeholder in this.#values) placeholder += '_';
    this.#values[placeholder] = value;
    return placeholder;
  }

  /** @param operand a value or an {@link Attribute} */
  operand(operand: unknown, hint: string): string {
    return operand instanceof Attribute ? this.name(operand.path) : this.value(operand, hint);
  }

  /** @returns the text of a condition; empty for {@link unconditionally} */
  condition(condition: Condition): string {
    const tests = Object.entries(condition).map(([path, test]) => {
      if (test === undefined) throw new TypeError(`the condition on ${path} is undefined`);
      const hint = `if${path.charAt(0).toUpperCase()}${path.slice(1)}`;
      return renderTest(this.name(path), test, (operand) => this.operand(operand, hint));
    });
    // DynamoDB evaluates AND before OR, hence the parentheses.
    const alternatives = condition[either]?.map((each) => this.condition(each));
    return [...tests, ...(alternatives ? [`(${alternatives.join(' OR ')})`] : [])].join(' AND ');
  }

  /** The placeholder parameters of a request. DynamoDB rejects empty ones, so those are left out. */
  get attributes() {
    return {
      ...(Object.keys(this.#names).length > 0 && { ExpressionAttributeNames: this.#names }),
      ...(Object.keys(this.#values).length > 0 && { ExpressionAttributeValues: this.#values }),
    };
  }
}

/** Returns the parameters of a conditional write. */
export function conditionOf(condition: Condition): {
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
} {
  const placeholders = new Placeholders();
  const text = placeholders.condition(condition);
  return text === '' ? {} : { ConditionExpression: text, ...placeholders.attributes };
}
