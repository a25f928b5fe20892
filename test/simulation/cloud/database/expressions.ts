import type { Item } from '../engine-table.ts';
import { compare, isEqual } from './values.ts';

/** What an expression is about: an item, and the placeholders of the request. */
export interface Subject {
  readonly item: Item;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

type Evaluate<Result> = (subject: Subject) => Result;
type Operand = Evaluate<unknown>;
type Step = string | number;
type Path = Evaluate<readonly Step[]>;

export type Condition = Evaluate<boolean>;

/** One assignment of an update. `undefined` as the new value removes the attribute. */
export interface Assignment {
  readonly path: readonly Step[];
  readonly value: unknown;
}

export type Update = Evaluate<readonly Assignment[]>;

export interface Parsed<Result> {
  readonly evaluate: Evaluate<Result>;
  /** The placeholders that the expression uses, such as `#status` and `:status`. */
  readonly placeholders: ReadonlySet<string>;
}

/** The part of DynamoDB's expression language that `lib/table` writes. */
export const parseCondition = parserOf<boolean>((tokens) => disjunction(tokens));
export const parseUpdate = parserOf<readonly Assignment[]>((tokens) => update(tokens));
export const parseProjection = parserOf<readonly (readonly Step[])[]>((tokens) => {
  const paths = list(tokens, path);
  return (subject) => paths.map((each) => each(subject));
});

/** The value at a path; `undefined` if there is none. */
export function valueAt(item: unknown, steps: readonly Step[]): unknown {
  let value = item;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<Step, unknown>)[step];
  }
  return value;
}

class Tokens {
  readonly placeholders = new Set<string>();
  readonly #text: string;
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = text.match(/<>|<=|>=|[#:]?\w+|\S/g) ?? [];
  }

  get isAtEnd(): boolean {
    return this.#next === this.#tokens.length;
  }

  peek(): string {
    return this.#tokens[this.#next] ?? '';
  }

  take(): string {
    const token = this.peek();
    this.#next += 1;
    if (/^[#:]/.test(token)) this.placeholders.add(token);
    return token;
  }

  takeIf(token: string): boolean {
    if (this.peek() !== token) return false;
    this.take();
    return true;
  }

  expect(token: string): void {
    if (!this.takeIf(token)) this.fail();
  }

  /** @throws Error that quotes the expression */
  fail(): never {
    throw new Error(`the simulated table cannot read "${this.peek()}" in the expression ${this.#text}`);
  }
}

/** Every expression is parsed once: a seed uses the same few again and again. */
function parserOf<Result>(parse: (tokens: Tokens) => Evaluate<Result>): (text: string) => Parsed<Result> {
  const known = new Map<string, Parsed<Result>>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const tokens = new Tokens(text);
    const evaluate = parse(tokens);
    if (!tokens.isAtEnd) tokens.fail();
    const parsed = { evaluate, placeholders: tokens.placeholders };
    known.set(text, parsed);
    return parsed;
  };
}

function list<Part>(tokens: Tokens, parse: (tokens: Tokens) => Part): Part[] {
  const parts = [parse(tokens)];
  while (tokens.takeIf(',')) parts.push(parse(tokens));
  return parts;
}

function disjunction(tokens: Tokens): Condition {
  const parts = [conjunction(tokens)];
  while (tokens.takeIf('OR')) parts.push(conjunction(tokens));
  return (subject) => parts.some((part) => part(subject));
}

function conjunction(tokens: Tokens): Condition {
  const parts = [test(tokens)];
  while (tokens.takeIf('AND')) parts.push(test(tokens));
  return (subject) => parts.every((part) => part(subject));
}

function test(tokens: Tokens): Condition {
  if (tokens.takeIf('(')) {
    const inner = disjunction(tokens);
    tokens.expect(')');
    return inner;
  }
  const ofFunction = functions[tokens.peek()];
  if (ofFunction) {
    tokens.take();
    tokens.expect('(');
    const operands = list(tokens, operand);
    tokens.expect(')');
    return (subject) => ofFunction(...operands.map((each) => each(subject)));
  }
  const left = operand(tokens);
  if (tokens.takeIf('BETWEEN')) {
    const low = operand(tokens);
    tokens.expect('AND');
    const high = operand(tokens);
    return (subject) =>
      compare(left(subject), low(subject)) >= 0 && compare(left(subject), high(subject)) <= 0;
  }
  const holds = comparisons[tokens.peek()] ?? tokens.fail();
  tokens.take();
  const right = operand(tokens);
  return (subject) => holds(left(subject), right(subject));
}

type Test = (...operands: readonly unknown[]) => boolean;

const functions: Readonly<Record<string, Test>> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  begins_with: (value, start) => typeof value === 'string' && value.startsWith(String(start)),
  contains: (value, part) => typeof value === 'string' && value.includes(String(part)),
};

const comparisons: Readonly<Record<string, Test>> = {
  '=': (one, other) => one !== undefined && isEqual(one, other),
  '<>': (one, other) => !isEqual(one, other),
  '<': (one, other) => compare(one, other) < 0,
  '<=': (one, other) => compare(one, other) <= 0,
  '>': (one, other) => compare(one, other) > 0,
  '>=': (one, other) => compare(one, other) >= 0,
};

function operand(tokens: Tokens): Operand {
  if (tokens.peek().startsWith(':')) {
    const name = tokens.take();
    return ({ values }) => values[name];
  }
  const steps = path(tokens);
  return (subject) => valueAt(subject.item, steps(subject));
}

/** Such as `#chain[0].#status`. */
function path(tokens: Tokens): Path {
  const steps: Evaluate<Step>[] = [nameOf(tokens)];
  for (;;) {
    if (tokens.takeIf('.')) steps.push(nameOf(tokens));
    else if (tokens.takeIf('[')) {
      const index = Number(tokens.take());
      tokens.expect(']');
      steps.push(() => index);
    } else return (subject) => steps.map((step) => step(subject));
  }
}

function nameOf(tokens: Tokens): Evaluate<string> {
  const name = tokens.take();
  if (!/^#?\w+$/.test(name)) tokens.fail();
  return ({ names }) => (name.startsWith('#') ? (names[name] ?? name) : name);
}

function update(tokens: Tokens): Update {
  const assignments: Evaluate<Assignment>[] = [];
  while (!tokens.isAtEnd) {
    const clause = clauses[tokens.peek()] ?? tokens.fail();
    tokens.take();
    assignments.push(...list(tokens, clause));
  }
  return (subject) => assignments.map((each) => each(subject));
}

const clauses: Readonly<Record<string, (tokens: Tokens) => Evaluate<Assignment>>> = {
  SET: (tokens) => {
    const target = path(tokens);
    tokens.expect('=');
    const value = newValue(tokens);
    return (subject) => ({ path: target(subject), value: existing(value(subject)) });
  },
  REMOVE: (tokens) => {
    const target = path(tokens);
    return (subject) => ({ path: target(subject), value: undefined });
  },
  ADD: (tokens) => {
    const target = path(tokens);
    const more = operand(tokens);
    return (subject) => {
      const steps = target(subject);
      return { path: steps, value: sum(valueAt(subject.item, steps), more(subject)) };
    };
  },
  DELETE: (tokens) => {
    const target = path(tokens);
    const less = operand(tokens);
    return (subject) => {
      const steps = target(subject);
      return { path: steps, value: difference(valueAt(subject.item, steps), less(subject)) };
    };
  },
};

function newValue(tokens: Tokens): Operand {
  const first = setOperand(tokens);
  if (!tokens.takeIf('+')) return first;
  const second = setOperand(tokens);
  return (subject) => Number(existing(first(subject))) + Number(existing(second(subject)));
}

function setOperand(tokens: Tokens): Operand {
  if (!tokens.takeIf('if_not_exists')) return operand(tokens);
  tokens.expect('(');
  const present = operand(tokens);
  tokens.expect(',');
  const otherwise = operand(tokens);
  tokens.expect(')');
  return (subject) => present(subject) ?? otherwise(subject);
}

function existing(value: unknown): unknown {
  if (value !== undefined) return value;
  throw new Error(
    'ValidationException: the expression refers to an attribute that does not exist in the item',
  );
}

/** Numbers are added to 0 if there is none, and texts to a set. */
function sum(present: unknown, more: unknown): unknown {
  if (typeof more === 'number' && typeof (present ?? 0) === 'number') return Number(present ?? 0) + more;
  if (more instanceof Set && (present === undefined || present instanceof Set))
    return new Set([...(present ?? []), ...more]);
  throw new Error('ValidationException: the operands of ADD have different types');
}

/** Texts are taken out of a set. An empty set does not exist. */
function difference(present: unknown, less: unknown): unknown {
  if (!(less instanceof Set) || !(present === undefined || present instanceof Set))
    throw new Error('ValidationException: the operands of DELETE have different types');
  const left = [...(present ?? [])].filter((each) => !less.has(each));
  return left.length === 0 ? undefined : new Set(left);
}
