import type {
  Action,
  Assigned,
  Condition,
  Operand,
  Operation,
  Step,
} from '@herald/local-cloud/engines/dynamodb/expression-parser.ts';
import type { Item } from './database.ts';
import { InvalidForItem, refuse } from './errors.ts';
import { compare, copyOf, isEqual, isMap, sumOf, type Type, typeOf } from './values.ts';

/** An item, and the values of the request, by their placeholders. */
interface Subject {
  readonly item: Item;
  readonly values: Item;
}

type Evaluate<Result> = (subject: Subject) => Result;
type Names = Readonly<Record<string, string>>;
/** Checks the values of a request, whatever the item is. @throws AwsError `ValidationException` */
export type Check = (values: Item) => void;

/** A compiled expression. */
export interface Compiled<Result> {
  readonly evaluate: Evaluate<Result>;
  readonly checks: readonly Check[];
}

/** The value at a path; `undefined` if there is none. */
export function valueAt(item: unknown, steps: readonly Step[]): unknown {
  let value = item;
  for (const step of steps) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** The steps of a path with the names of a request. */
export const stepsOf = (steps: readonly Step[], names: Names): readonly Step[] =>
  steps.map((step) => (typeof step === 'number' ? step : (names[step] ?? step)));

export function compileCondition(tree: Condition, names: Names): Compiled<boolean> {
  const checks: Check[] = [];
  const compile = (condition: Condition): Evaluate<boolean> => {
    switch (condition.kind) {
      case 'AND': {
        const parts = condition.parts.map(compile);
        return (subject) => parts.every((part) => part(subject));
      }
      case 'OR': {
        const parts = condition.parts.map(compile);
        return (subject) => parts.some((part) => part(subject));
      }
      case 'NOT': {
        const part = compile(condition.part);
        return (subject) => !part(subject);
      }
      case 'operation': {
        checks.push(...checksOf(condition));
        const holds = operators[condition.operator] ?? refuse(`Invalid operator: ${condition.operator}`);
        const operands = condition.operands.map((operand) => compileOperand(operand, names));
        const [first = nothing, second = nothing] = operands;
        if (operands.length < 3) return (subject) => holds(first(subject), second(subject));
        return (subject) => holds(...operands.map((operand) => operand(subject)));
      }
    }
  };
  return { evaluate: compile(tree), checks };
}

const nothing = () => undefined;

function compileOperand(operand: Operand, names: Names): Evaluate<unknown> {
  switch (operand.kind) {
    case 'value':
      return ({ values }) => values[operand.placeholder];
    case 'path': {
      const steps = stepsOf(operand.steps, names);
      return ({ item }) => valueAt(item, steps);
    }
    case 'call': {
      const [first = nothing, second = nothing] = operand.operands.map((each) => compileOperand(each, names));
      if (operand.name === 'size') return (subject) => lengthOf(first(subject));
      if (operand.name === 'if_not_exists') return (subject) => first(subject) ?? second(subject);
      return (subject) => joined(existing(first(subject)), existing(second(subject)));
    }
  }
}

type Test = (...operands: readonly unknown[]) => boolean;

const operators: Readonly<Record<string, Test>> = {
  '=': (one, other) => one !== undefined && isEqual(one, other),
  // An attribute that does not exist differs from every operand, even from another that does not exist.
  '<>': (one, other) => one === undefined || !isEqual(one, other),
  '<': (one, other) => compare(one, other) < 0,
  '<=': (one, other) => compare(one, other) <= 0,
  '>': (one, other) => compare(one, other) > 0,
  '>=': (one, other) => compare(one, other) >= 0,
  BETWEEN: (value, low, high) => compare(value, low) >= 0 && compare(value, high) <= 0,
  IN: (value, ...others) => value !== undefined && others.some((other) => isEqual(value, other)),
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  attribute_type: (value, type) => value !== undefined && typeOf(value) === type,
  begins_with: (value, start) =>
    typeof value === 'string' && typeof start === 'string'
      ? value.startsWith(start)
      : value instanceof Uint8Array &&
        start instanceof Uint8Array &&
        Buffer.compare(value.subarray(0, start.length), start) === 0,
  contains: (value, part) => {
    if (typeof value === 'string') return typeof part === 'string' && value.includes(part);
    if (value instanceof Set) return value.has(part);
    return Array.isArray(value) && value.some((each) => isEqual(each, part));
  },
};

/** The function `size`. */
function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof Set) return value.size;
  return isMap(value) ? Object.keys(value).length : undefined;
}

const ordered: readonly Type[] = ['S', 'N', 'B'];
const ofPaths = new Set(['attribute_exists', 'attribute_not_exists']);

function checksOf({ operator, operands }: Operation): Check[] {
  const value = (values: Item, index: number): unknown => {
    const operand = operands[index];
    return operand?.kind === 'value' ? values[operand.placeholder] : undefined;
  };
  const ofTypes =
    (types: readonly Type[]): Check =>
    (values) => {
      for (const index of operands.keys()) requireType(operator, value(values, index), types);
    };
  if (ofPaths.has(operator) && operands[0]?.kind !== 'path')
    refuse(
      `Invalid expression: Operator or function requires a document path; operator or function: ${operator}`,
    );
  switch (operator) {
    // The engine lets these pass, and finds no item. AWS names the types that can be compared:
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.Conditions.html
    case '<':
    case '<=':
    case '>':
    case '>=':
      return [ofTypes(ordered)];
    case 'BETWEEN':
      return [
        ofTypes(ordered),
        (values) => {
          const [low, high] = [value(values, 1), value(values, 2)];
          if (low === undefined || high === undefined || compare(low, high) <= 0) return;
          refuse(
            typeOf(low) === typeOf(high)
              ? 'Invalid expression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound'
              : 'Invalid expression: The BETWEEN operator requires same data type for lower and upper bounds',
          );
        },
      ];
    case 'begins_with':
      return [(values) => requireType(operator, value(values, 1), ['S', 'B'])];
    default:
      return [];
  }
}

function requireType(operator: string, value: unknown, types: readonly Type[]): void {
  if (value === undefined || types.includes(typeOf(value))) return;
  refuse(
    `Invalid expression: Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${typeOf(value)}`,
  );
}

/** An expression that returns the item as it is after the update. It shares memory with the item before. */
export function compileUpdate(actions: readonly Action[], names: Names): Compiled<Item> {
  const compiled = actions.map((action) => {
    const steps = stepsOf(action.path.steps, names);
    return { steps, clause: action.clause, value: newValue(action, steps, names) };
  });
  // Elements are appended in the order of their numbers, and removed from the last one, so that the others keep their numbers.
  const isRemoval = ({ clause }: { readonly clause: string }) => clause === 'REMOVE';
  const inOrder = [
    ...compiled.filter((each) => !isRemoval(each)).sort((one, other) => compareSteps(one.steps, other.steps)),
    ...compiled.filter(isRemoval).sort((one, other) => compareSteps(other.steps, one.steps)),
  ];
  return {
    checks: actions.flatMap(checksOfAction),
    evaluate: (subject) => {
      const changes = inOrder.map(({ steps, value }) => ({ steps, value: value(subject) }));
      return changes.reduce<Item>(
        (item, { steps, value }) => changed(item, steps, value) as Item,
        subject.item,
      );
    },
  };
}

/** Orders the elements of one list; other paths are equal. */
function compareSteps(one: readonly Step[], other: readonly Step[]): number {
  const index = one.findIndex((step, position) => step !== other[position]);
  const [step, otherStep] = [one[index], other[index]];
  return typeof step === 'number' && typeof otherStep === 'number' ? step - otherStep : 0;
}

/** The new value of an attribute; undefined removes it. */
function newValue(action: Action, steps: readonly Step[], names: Names): Evaluate<unknown> {
  switch (action.clause) {
    case 'REMOVE':
      return nothing;
    case 'SET': {
      const value = compileAssigned(action.value, names);
      return (subject) => copyOf(existing(value(subject)));
    }
    default: {
      if (steps.length > 1)
        // The engine lets it pass. AWS: "ADD can only be used on top-level attributes, not nested attributes", and so DELETE.
        refuse(`Invalid UpdateExpression: ${action.clause} needs a top-level attribute`);
      const operand = compileOperand(action.value, names);
      const combine = action.clause === 'ADD' ? added : difference;
      return (subject) => combine(valueAt(subject.item, steps), operand(subject));
    }
  }
}

function compileAssigned(assigned: Assigned, names: Names): Evaluate<unknown> {
  if (assigned.kind !== 'sum') return compileOperand(assigned, names);
  const [left = nothing, right = nothing] = assigned.operands.map((each) => compileOperand(each, names));
  const factor = assigned.sign === '+' ? 1 : -1;
  return (subject) => {
    const [one, other] = [existing(left(subject)), existing(right(subject))];
    if (typeof one === 'number' && typeof other === 'number') return sumOf(one, factor * other);
    throw incorrectOperand();
  };
}

function checksOfAction(action: Action): Check[] {
  const ofType =
    (operator: string, operand: Operand, types: readonly Type[]): Check =>
    (values) => {
      if (operand.kind === 'value') requireType(operator, values[operand.placeholder], types);
    };
  switch (action.clause) {
    case 'ADD':
      return [ofType('ADD', action.value, ['N', 'SS', 'NS'])];
    case 'DELETE':
      return [ofType('DELETE', action.value, ['SS', 'NS'])];
    case 'SET':
      return action.value.kind === 'sum'
        ? action.value.operands.map((operand) => ofType('+', operand, ['N']))
        : [];
    default:
      return [];
  }
}

/** The container with a new value at a path; undefined removes what is there. */
function changed(container: unknown, [step, ...rest]: readonly Step[], newValue: unknown): unknown {
  const isElement = typeof step === 'number';
  if (step === undefined || (isElement ? !Array.isArray(container) : !isMap(container))) {
    if (newValue === undefined) return container;
    throw new InvalidForItem('The document path provided in the update expression is invalid for update');
  }
  const members = container as Record<Step, unknown>;
  const value = rest.length > 0 ? changed(members[step], rest, newValue) : newValue;
  if (!isElement) {
    const { [step]: _former, ...others } = members;
    return value === undefined ? others : { ...others, [step]: value };
  }
  const elements = container as readonly unknown[];
  if (value === undefined) return elements.filter((_, index) => index !== step);
  return step < elements.length ? elements.with(step, value) : [...elements, value];
}

function existing(value: unknown): unknown {
  if (value !== undefined) return value;
  throw new InvalidForItem('The provided expression refers to an attribute that does not exist in the item');
}

const incorrectOperand = () =>
  new InvalidForItem('An operand in the update expression has an incorrect data type');

function joined(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  throw incorrectOperand();
}

/** Numbers are added to 0 if there is none, and members to a set. */
function added(present: unknown, more: unknown): unknown {
  if (typeof more === 'number' && typeof (present ?? 0) === 'number')
    return sumOf((present ?? 0) as number, more);
  if (more instanceof Set && (present === undefined || typeOf(present) === typeOf(more)))
    return new Set([...((present as Set<unknown> | undefined) ?? []), ...more]);
  throw incorrectOperand();
}

/** Members are taken out of a set. An empty set does not exist. */
function difference(present: unknown, less: unknown): unknown {
  if (!(less instanceof Set) || !(present === undefined || typeOf(present) === typeOf(less)))
    throw incorrectOperand();
  const left = [...((present as Set<unknown> | undefined) ?? [])].filter((each) => !less.has(each));
  return left.length === 0 ? undefined : new Set(left);
}
