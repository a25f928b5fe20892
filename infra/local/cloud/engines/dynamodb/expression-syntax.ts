/**
 * DynamoDB's expressions as far as the rules in `request-rules.ts` need them, with the names of a request. Unparsable text is
 * left to the engine, which refuses it. Pure.
 */

import {
  type Assigned,
  type Condition,
  type Operand,
  type Path,
  parseCondition,
  parseUpdate,
} from './expression-parser.ts';

/** An operation of a condition: a comparison, `BETWEEN`, `IN` or a function. Operands are resolved texts. */
export interface Operation {
  /** Such as `=`, `BETWEEN`, `begins_with`. */
  readonly operator: string;
  readonly operands: readonly string[];
}

export interface ConditionSyntax {
  readonly operations: readonly Operation[];
  /** The number of operators and functions, including `AND`, `OR` and `NOT`. */
  readonly operators: number;
  /** The top-level attributes that the condition names. */
  readonly attributes: ReadonlySet<string>;
}

export interface UpdateSyntax {
  /** The document paths that are set, removed, added to or deleted from. */
  readonly changed: readonly string[];
  /** The values assigned or added to each path, as placeholders. */
  readonly assigned: readonly { readonly path: string; readonly values: readonly string[] }[];
  readonly operators: number;
}

type Names = Readonly<Record<string, string>>;

/** Returns the first part of a document path: `chain` of `chain[2].status`. */
export const topOf = (path: string): string => /^[^.[]+/.exec(path)?.[0] ?? path;

/** Returns a path's text, such as `chain[2].status`. */
const pathText = ({ steps }: Path, names: Names): string =>
  steps
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return `${index === 0 ? '' : '.'}${names[step] ?? step}`;
    })
    .join('');

/** @returns undefined if the text cannot be parsed */
export function readCondition(text: string, names: Names = {}): ConditionSyntax | undefined {
  const parsed = parseCondition(text);
  if (!parsed) return undefined;
  const operations: Operation[] = [];
  const attributes = new Set<string>();
  let operators = 0;

  function read(condition: Condition): void {
    switch (condition.kind) {
      case 'AND':
      case 'OR':
        operators += condition.parts.length - 1;
        for (const part of condition.parts) read(part);
        return;
      case 'NOT':
        operators += 1;
        read(condition.part);
        return;
      case 'operation':
        operators += 1;
        operations.push({ operator: condition.operator, operands: condition.operands.map(operandText) });
    }
  }

  function operandText(operand: Operand): string {
    switch (operand.kind) {
      case 'value':
        return operand.placeholder;
      case 'call':
        operators += 1;
        return `${operand.name}(${operand.operands.map(operandText).join(', ')})`;
      case 'path': {
        const path = pathText(operand, names);
        attributes.add(topOf(path));
        return path;
      }
    }
  }

  read(parsed.tree);
  return { operations, operators, attributes };
}

/** @returns undefined if the text cannot be parsed */
export function readUpdate(text: string, names: Names = {}): UpdateSyntax | undefined {
  const actions = parseUpdate(text)?.tree;
  if (!actions) return undefined;
  const changes = actions.map((action) => ({
    path: pathText(action.path, names),
    ...(action.clause === 'REMOVE' ? { values: [], operators: 0 } : partsOf(action.value)),
  }));
  return {
    changed: changes.map(({ path }) => path),
    assigned: changes.filter(({ values }) => values.length > 0),
    operators: changes.reduce((sum, { operators }) => sum + operators, 0),
  };
}

/** Returns the placeholders in the assigned values, and the number of their operators and functions. */
function partsOf(assigned: Assigned): { readonly values: readonly string[]; readonly operators: number } {
  if (assigned.kind === 'value') return { values: [assigned.placeholder], operators: 0 };
  if (assigned.kind === 'path') return { values: [], operators: 0 };
  const parts = assigned.operands.map(partsOf);
  return {
    values: parts.flatMap(({ values }) => values),
    operators: parts.reduce((sum, { operators }) => sum + operators, 1),
  };
}
