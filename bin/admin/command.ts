import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Writable } from 'node:stream';
import type { Act } from '../../lib/access/act.ts';
import type { Verb } from '../../lib/access/verbs.ts';
import type { Operator } from '../../lib/workspaces/operator.ts';
import type { Output } from './output.ts';

/** The context of a command: the table, the time, the operator, the stage, and the given options. */
export interface AdminContext extends Operator {
  readonly stage: string;
  /** The given options by name, such as `reason`. Never empty texts. */
  readonly options: Readonly<Record<string, string>>;
  readonly out: Output;
  /** True if the stage is the local cloud. */
  readonly isLocal: boolean;
}

/** The context of a command that does not need the table: one that uses the API, or checks the machine. */
export type PlainContext = Pick<AdminContext, 'options' | 'out'> & {
  readonly stage: string | undefined;
  readonly shell: Shell;
};

/** The parts of its process that a command uses. Tests pass their own. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Writable;
  /** The terminal or file for messages. Progress is redrawn on a terminal. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  once(signal: 'SIGINT' | 'SIGTERM', stop: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', stop: () => void): unknown;
}

/** 0 done, 1 refused or unhealthy, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** An option of one command, such as `--reason <text>`, which may be given once. */
export interface CommandOption {
  /** The kind of value, for the help text. Absent: the option takes no value, such as `--dry-run`. */
  readonly value?: string;
  readonly isRequired?: boolean;
  /** One line, for the help text. */
  readonly summary: string;
}

export type Command = OperatorCommand | PlainCommand;

/** A command of an operator, who reads and writes the table with AWS credentials. */
export interface OperatorCommand extends CommandForm {
  /** The verb: it decides whether operators may run the command, and is its name in the audit log. */
  readonly verb: Verb;
  /** @returns nothing if it succeeded, or the exit code */
  readonly run: (context: AdminContext, ...words: string[]) => Promise<void> | Promise<ExitCode>;
}

/**
 * A command that does not open the table: it uses the API with an API key, which decides what it may do, or it finds out why the
 * others do not work.
 */
export interface PlainCommand extends CommandForm {
  readonly runPlain: (context: PlainContext, ...words: string[]) => Promise<ExitCode>;
}

interface CommandForm {
  /** The required arguments, in this order. */
  readonly words: readonly string[];
  /** The optional arguments after them. */
  readonly optional?: readonly string[];
  /** The meaning of any further arguments. */
  readonly more?: string;
  /** The options by name, without the dashes. */
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** Further facts that an operator should know before running it. */
  readonly detail?: string;
}

/** Commands by name: noun and verb, such as `key create`, or one word. */
export type Commands = Readonly<Record<string, Command>>;

/** Returns this run of the admin command as an act for the audit log. */
export function operatorAct(verb: Verb): Act {
  return { actor: { kind: 'operator', id: userInfo().username }, verb, requestId: randomUUID() };
}
