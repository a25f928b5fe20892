import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Act } from '../../lib/access/act.ts';
import type { Verb } from '../../lib/access/verbs.ts';
import type { Operator } from '../../lib/workspaces/operator.ts';

/** What a command receives: the table, the time, who runs which command, the stage, and the given options. */
export interface AdminContext extends Operator {
  readonly stage: string;
  /** By name, such as `reason`. Never empty texts. */
  readonly options: Readonly<Record<string, string>>;
}

/** What a command that uses the API receives. */
export type ApiContext = Pick<AdminContext, 'options'> & { readonly stage: string | undefined };

/** An option of one command, such as `--reason <text>`, which may be given once. */
export interface CommandOption {
  /** What the value is, for the help text. Absent: it takes none, such as `--dry-run`. */
  readonly value?: string;
  readonly isRequired?: boolean;
  /** One line, for the help text. */
  readonly summary: string;
}

export type Command = OperatorCommand | ApiCommand;

/** A command of an operator, who reads and writes the table with AWS credentials. */
export interface OperatorCommand extends CommandForm {
  /** What it does: decides whether operators may, and is its name in the audit log. */
  readonly verb: Verb;
  readonly run: (context: AdminContext, ...words: string[]) => Promise<void>;
}

/** A command that uses the API with an API key. What the key may do is decided there, and the audit log names the key. */
export interface ApiCommand extends CommandForm {
  /** @returns the exit code */
  readonly runWithKey: (context: ApiContext, ...words: string[]) => Promise<number>;
}

interface CommandForm {
  /** The required arguments, in this order. */
  readonly words: readonly string[];
  /** The optional arguments after them. */
  readonly optional?: readonly string[];
  /** What any further arguments are. */
  readonly more?: string;
  /** By name, without the dashes. */
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What else an operator should know before running it. */
  readonly detail?: string;
}

/** Commands by name: noun and verb, such as `key create`, or one word. */
export type Commands = Readonly<Record<string, Command>>;

/** What this run of the admin command does, for the audit log. */
export function operatorAct(verb: Verb): Act {
  return { actor: { kind: 'operator', id: userInfo().username }, verb, requestId: randomUUID() };
}

/** Customers choose some of the texts: control characters in them could forge lines, or steer the terminal. */
const readable = (value: string | number): string =>
  String(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');

export function print(rows: readonly Readonly<Record<string, string | number>>[]): void {
  for (const row of rows) {
    console.log(
      Object.entries(row)
        .map(([name, value]) => `${name}=${readable(value)}`)
        .join('  '),
    );
  }
  if (rows.length === 0) console.log('none');
}
