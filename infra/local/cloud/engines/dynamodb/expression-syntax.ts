/**
 * Reads DynamoDB's expressions as far as the rules in `expression-rules.ts` need it. What cannot be read is left to the
 * engine, which refuses it. Pure.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */

/** An operation of a condition: a comparison, `BETWEEN`, `IN` or a function. Operands are resolved texts. */
export interface Operation {
  /** Such as `=`, `BETWEEN`, `begins_with`. */
  readonly operator: string;
  readonly operands: readonly string[];
}

export interface ConditionSyntax {
  readonly operations: readonly Operation[];
  /** How many operators and functions there are, with `AND`, `OR` and `NOT`. */
  readonly operators: number;
  /** The top-level attributes that the condition names. */
  readonly attributes: ReadonlySet<string>;
}

export interface UpdateSyntax {
  /** The document paths that are set, removed, added to or deleted from. */
  readonly changed: readonly string[];
  /** What is assigned to or added to each path, as resolved tokens. */
  readonly assigned: readonly { readonly path: string; readonly tokens: readonly string[] }[];
  readonly operators: number;
}

type Names = Readonly<Record<string, string>>;

const tokenPattern = /\s*(<>|<=|>=|[=<>(),+-]|:\w+|[#\w][#\w]*(?:\[\d+\]|\.[#\w]+)*)/y;
const keywords = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'SET', 'REMOVE', 'ADD', 'DELETE']);
const comparators = new Set(['=', '<>', '<', '<=', '>', '>=']);
const functions = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
  'size',
  'if_not_exists',
  'list_append',
]);

/** @returns undefined if the text has a character that no token begins with */
function tokensOf(text: string, names: Names): string[] | undefined {
  const tokens: string[] = [];
  let position = 0;
  while (text.slice(position).trim() !== '') {
    tokenPattern.lastIndex = position;
    const [all = '', token = ''] = tokenPattern.exec(text) ?? [];
    if (token === '') return undefined;
    position += all.length;
    const upper = token.toUpperCase();
    tokens.push(
      keywords.has(upper)
        ? upper
        : token.replaceAll(/#\w+/g, (placeholder) => names[placeholder] ?? placeholder),
    );
  }
  return tokens;
}

/** The first part of a document path: `chain` of `chain[2].status`. */
export const topOf = (path: string): string => /^[^.[]+/.exec(path)?.[0] ?? path;

const isPath = (token: string): boolean => /^[#\w]/.test(token) && !keywords.has(token);

/** @returns undefined if the text cannot be read */
export function readCondition(text: string, names: Names = {}): ConditionSyntax | undefined {
  const tokens = tokensOf(text, names);
  if (!tokens) return undefined;
  const operations: Operation[] = [];
  const attributes = new Set<string>();
  let operators = 0;
  let next = 0;

  class Unreadable extends Error {}
  const peek = () => tokens[next];
  const take = (expected?: string): string => {
    const token = tokens[next];
    if (token === undefined || (expected !== undefined && token !== expected)) throw new Unreadable();
    next += 1;
    return token;
  };

  function call(name: string): string {
    operators += 1;
    const operands: string[] = [];
    take('(');
    do operands.push(operand());
    while (peek() === ',' && take());
    take(')');
    if (name !== 'size') operations.push({ operator: name, operands });
    return `${name}(${operands.join(', ')})`;
  }

  function operand(): string {
    const token = take();
    if (functions.has(token) && peek() === '(') return call(token);
    if (token.startsWith(':')) return token;
    if (!isPath(token)) throw new Unreadable();
    attributes.add(topOf(token));
    return token;
  }

  function test(): void {
    if (peek() === '(') {
      take();
      alternatives();
      take(')');
      return;
    }
    const first = operand();
    const operator = peek();
    if (operator === 'BETWEEN') {
      take();
      const low = operand();
      take('AND');
      operators += 1;
      operations.push({ operator, operands: [first, low, operand()] });
    } else if (operator === 'IN') {
      take();
      take('(');
      const operands = [first];
      do operands.push(operand());
      while (peek() === ',' && take());
      take(')');
      operators += 1;
      operations.push({ operator, operands });
    } else if (operator !== undefined && comparators.has(operator)) {
      take();
      operators += 1;
      operations.push({ operator, operands: [first, operand()] });
    }
  }

  function negation(): void {
    while (peek() === 'NOT') {
      take();
      operators += 1;
    }
    test();
  }

  function alternatives(): void {
    negation();
    while (peek() === 'AND' || peek() === 'OR') {
      take();
      operators += 1;
      negation();
    }
  }

  try {
    alternatives();
    if (next < tokens.length) return undefined;
    return { operations, operators, attributes };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

const clauses = new Set(['SET', 'REMOVE', 'ADD', 'DELETE']);

/** @returns undefined if the text cannot be read */
export function readUpdate(text: string, names: Names = {}): UpdateSyntax | undefined {
  const tokens = tokensOf(text, names);
  if (!tokens || !clauses.has(tokens[0] ?? '')) return undefined;
  const actions: { clause: string; tokens: string[] }[] = [];
  let clause = '';
  let depth = 0;
  for (const token of tokens) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (clauses.has(token)) clause = token;
    if (clauses.has(token) || (token === ',' && depth === 0)) actions.push({ clause, tokens: [] });
    else actions.at(-1)?.tokens.push(token);
  }
  const counted = tokens.filter(
    (token, index) => token === '+' || token === '-' || (functions.has(token) && tokens[index + 1] === '('),
  );
  const changes = actions.map(({ clause: of, tokens: [path = '', ...rest] }) => ({
    path,
    tokens: of === 'SET' ? rest.slice(1) : rest,
  }));
  return {
    changed: changes.map(({ path }) => path),
    assigned: changes.filter(({ tokens: values }) => values.length > 0),
    operators: counted.length,
  };
}
