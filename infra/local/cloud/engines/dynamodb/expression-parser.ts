/**
 * Parses DynamoDB's expressions into trees. The rules of the local cloud read them, and so does the in-memory database of the
 * tests, which evaluates them. Pure.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */

/** A member or an element: `status`, the placeholder `#status`, or 2. */
export type Step = string | number;

/** A document path, such as `#chain[2].status`. */
export interface Path {
  readonly kind: 'path';
  readonly steps: readonly Step[];
}

/** A placeholder of a value, such as `:status`. */
export interface Value {
  readonly kind: 'value';
  readonly placeholder: string;
}

export interface Call {
  readonly kind: 'call';
  readonly name: 'size' | 'if_not_exists' | 'list_append';
  readonly operands: readonly Operand[];
}

export type Operand = Path | Value | Call;

/** A comparison, `BETWEEN`, `IN` or a function, such as `begins_with`. */
export interface Operation {
  readonly kind: 'operation';
  readonly operator: string;
  readonly operands: readonly Operand[];
}

export type Condition =
  | Operation
  | { readonly kind: 'AND' | 'OR'; readonly parts: readonly Condition[] }
  | { readonly kind: 'NOT'; readonly part: Condition };

/** The new value of an attribute. */
export type Assigned =
  | Operand
  | { readonly kind: 'sum'; readonly sign: '+' | '-'; readonly operands: readonly [Operand, Operand] };

export type Action =
  | { readonly clause: 'SET'; readonly path: Path; readonly value: Assigned }
  | { readonly clause: 'REMOVE'; readonly path: Path }
  | { readonly clause: 'ADD' | 'DELETE'; readonly path: Path; readonly value: Operand };

/** A parsed expression. */
export interface Parsed<Tree> {
  readonly tree: Tree;
  /** The placeholders that it uses, such as `#status` and `:status`. */
  readonly placeholders: ReadonlySet<string>;
}

const comparators = new Set(['=', '<>', '<', '<=', '>', '>=']);
/** The functions that are conditions, with the number of their operands. */
const tests: ReadonlyMap<string, number> = new Map([
  ['attribute_exists', 1],
  ['attribute_not_exists', 1],
  ['attribute_type', 2],
  ['begins_with', 2],
  ['contains', 2],
]);
const keywords = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'SET', 'REMOVE', 'ADD', 'DELETE']);
const clauses = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

const tokenPattern = /\s*(<>|<=|>=|[=<>()[\],.+-]|[#:]\w+|\w+)/y;

class Unreadable extends Error {}

/** @returns undefined if the text cannot be parsed */
export const parseCondition = (text: string): Parsed<Condition> | undefined =>
  parsed(text, (parser) => parser.condition());

/** @returns undefined if the text cannot be parsed */
export const parseUpdate = (text: string): Parsed<readonly Action[]> | undefined =>
  parsed(text, (parser) => parser.actions());

/** @returns undefined if the text cannot be parsed */
export const parseProjection = (text: string): Parsed<readonly Path[]> | undefined =>
  parsed(text, (parser) => parser.list(() => parser.path()));

function parsed<Tree>(text: string, parse: (parser: Parser) => Tree): Parsed<Tree> | undefined {
  try {
    const parser = new Parser(text);
    const tree = parse(parser);
    parser.requireEnd();
    return { tree, placeholders: parser.placeholders };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** A recursive-descent parser: a method for each rule of the grammar. */
class Parser {
  readonly placeholders = new Set<string>();
  readonly #tokens: readonly string[];
  #next = 0;
  /** The first token inside the parentheses that were closed last, and the closing one. */
  #parentheses: readonly [first: number, last: number] = [-1, -1];

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  condition(): Condition {
    return this.#joined('OR', () => this.#joined('AND', () => this.#negation()));
  }

  #joined(kind: 'AND' | 'OR', parse: () => Condition): Condition {
    const first = parse();
    const parts = [first];
    while (this.#takeIf(kind)) parts.push(parse());
    return parts.length === 1 ? first : { kind, parts };
  }

  #negation(): Condition {
    return this.#takeIf('NOT') ? { kind: 'NOT', part: this.#negation() } : this.#test();
  }

  #test(): Condition {
    if (this.#takeIf('(')) return this.#parenthesized();
    const operandCount = tests.get(this.#peek());
    if (operandCount !== undefined && this.#peek(1) === '(') {
      const operator = this.#take();
      const operands = this.#operandsInParentheses();
      if (operands.length !== operandCount) throw new Unreadable();
      return { kind: 'operation', operator, operands };
    }
    const first = this.#operand();
    const operator = this.#take();
    if (operator === 'BETWEEN') {
      const low = this.#operand();
      this.#expect('AND');
      return { kind: 'operation', operator, operands: [first, low, this.#operand()] };
    }
    if (operator === 'IN')
      return { kind: 'operation', operator, operands: [first, ...this.#operandsInParentheses()] };
    if (!comparators.has(operator)) throw new Unreadable();
    return { kind: 'operation', operator, operands: [first, this.#operand()] };
  }

  /** Parses parentheses. AWS refuses redundant ones: `((a = b))`. */
  #parenthesized(): Condition {
    const first = this.#next;
    const inner = this.condition();
    const [innerFirst, innerLast] = this.#parentheses;
    if (innerFirst === first + 1 && innerLast === this.#next - 1) throw new Unreadable();
    this.#expect(')');
    this.#parentheses = [first, this.#next - 1];
    return inner;
  }

  actions(): readonly Action[] {
    const actions: Action[] = [];
    const seen = new Set<string>();
    do {
      const clause = clauses.find((name) => name === this.#peek());
      if (clause === undefined || seen.has(clause)) throw new Unreadable();
      seen.add(this.#take());
      actions.push(...this.list(() => this.#action(clause)));
    } while (this.#next < this.#tokens.length);
    return actions;
  }

  #action(clause: Action['clause']): Action {
    const path = this.path();
    if (clause === 'REMOVE') return { clause, path };
    if (clause !== 'SET') return { clause, path, value: this.#operand() };
    this.#expect('=');
    const left = this.#operand();
    const sign = (['+', '-'] as const).find((each) => this.#takeIf(each));
    const value: Assigned =
      sign === undefined ? left : { kind: 'sum', sign, operands: [left, this.#operand()] };
    return { clause, path, value };
  }

  list<Part>(parse: () => Part): Part[] {
    const parts = [parse()];
    while (this.#takeIf(',')) parts.push(parse());
    return parts;
  }

  #operandsInParentheses(): Operand[] {
    this.#expect('(');
    const operands = this.list(() => this.#operand());
    this.#expect(')');
    return operands;
  }

  #operand(): Operand {
    const token = this.#peek();
    const isCall = token === 'size' || token === 'if_not_exists' || token === 'list_append';
    if (isCall && this.#peek(1) === '(') {
      this.#take();
      const operands = this.#operandsInParentheses();
      if (operands.length !== (token === 'size' ? 1 : 2)) throw new Unreadable();
      return { kind: 'call', name: token, operands };
    }
    return token.startsWith(':') ? { kind: 'value', placeholder: this.#take() } : this.path();
  }

  path(): Path {
    const steps: Step[] = [this.#name()];
    for (;;) {
      if (this.#takeIf('.')) steps.push(this.#name());
      else if (this.#takeIf('[')) {
        const index = this.#take();
        if (!/^\d+$/.test(index)) throw new Unreadable();
        steps.push(Number(index));
        this.#expect(']');
      } else return { kind: 'path', steps };
    }
  }

  #name(): string {
    const token = this.#take();
    if (!/^(#\w+|[A-Za-z_]\w*)$/.test(token) || keywords.has(token)) throw new Unreadable();
    return token;
  }

  #peek(ahead = 0): string {
    return this.#tokens[this.#next + ahead] ?? '';
  }

  #take(): string {
    const token = this.#peek();
    this.#next += 1;
    if (/^[#:]/.test(token)) this.placeholders.add(token);
    return token;
  }

  #takeIf(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#take();
    return true;
  }

  #expect(token: string): void {
    if (!this.#takeIf(token)) throw new Unreadable();
  }

  requireEnd(): void {
    if (this.#next !== this.#tokens.length) throw new Unreadable();
  }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  let position = 0;
  while (text.slice(position).trim() !== '') {
    tokenPattern.lastIndex = position;
    const [all = '', token = ''] = tokenPattern.exec(text) ?? [];
    if (token === '') throw new Unreadable();
    position += all.length;
    const upper = token.toUpperCase();
    tokens.push(keywords.has(upper) ? upper : token);
  }
  return tokens;
}
