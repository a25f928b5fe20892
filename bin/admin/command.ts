import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Writable } from 'node:stream';
import type { Act } from '../../lib/access/act.ts';
import { type Verb, verbs } from '../../lib/access/verbs.ts';
import type { Operator } from '../../lib/workspaces/operator.ts';
import type { Output } from './output.ts';
import type { Read } from './values.ts';

/** The context of a command: the table, the time, the operator, and the stage. */
export interface AdminContext extends Operator {
  readonly stage: string;
  readonly out: Output;
  /** True if the stage is the local cloud. */
  readonly isLocal: boolean;
}

/** The context of a command that does not need the table: one that uses the API, or checks the machine. */
export type PlainContext = Pick<AdminContext, 'out'> & {
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

/** An argument that is recognized by its place, such as `<workspace id>`. Its name in the help text is that of its field. */
export interface Word {
  /** Absent: the value is the text. */
  readonly read?: Read<unknown>;
  /** The text to read if it is not given. Absent: it must be given. */
  readonly default?: string;
  /** True for a last word that may be given any number of times, or not at all. */
  readonly isRepeated?: true;
}

/** An option such as `--reason <text>`, which may be given once. */
export interface Option {
  /** The kind of value, for the help text. Absent: the option takes no value, such as `--dry-run`. */
  readonly value?: string;
  /** Absent: the value is the text, which is never empty. */
  readonly read?: Read<unknown>;
  readonly isRequired?: true;
  /** The text to read if it is not given. The help text mentions it. */
  readonly default?: string;
  /** One line, for the help text. */
  readonly summary: string;
}

export type Words = Readonly<Record<string, Word>>;
export type Options = Readonly<Record<string, Option>>;

/** The description of a command. The line is read by it, and the help text comes from it. */
interface Form<OwnWords extends Words = Words, OwnOptions extends Options = Options> {
  /** In the order of the line. */
  readonly words?: OwnWords;
  /** The options by name, without the dashes. */
  readonly options?: OwnOptions;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** Further facts that an operator should know before running it. */
  readonly detail?: string;
}

type Value<Declared extends Word | Option> = Declared extends { readonly read: Read<infer Own> }
  ? Own
  : string;
type WordValues<OwnWords extends Words> = {
  readonly [Name in keyof OwnWords]: OwnWords[Name] extends { readonly isRepeated: true }
    ? readonly Value<OwnWords[Name]>[]
    : Value<OwnWords[Name]>;
};
type OptionValues<OwnOptions extends Options> = {
  readonly [Name in keyof OwnOptions]: OwnOptions[Name] extends { readonly value: string }
    ? OwnOptions[Name] extends { readonly isRequired: true } | { readonly default: string }
      ? Value<OwnOptions[Name]>
      : Value<OwnOptions[Name]> | undefined
    : boolean;
};

/** The values of words or options by name. The typed forms of a command know their types. */
export type Values = Readonly<Record<string, unknown>>;

export type Command = OperatorCommand | PlainCommand;

/** A command of an operator, who reads and writes the table with AWS credentials. */
export interface OperatorCommand extends Form {
  /** The verb: it decides whether operators may run the command, and is its name in the audit log. */
  readonly verb: Verb;
  /** @returns nothing if it succeeded, or the exit code */
  run(context: AdminContext, words: Values, options: Values): Promise<void> | Promise<ExitCode>;
}

/**
 * A command that does not open the table: it uses the API with an API key, which decides what it may do, or it finds out why the
 * others do not work.
 */
export interface PlainCommand extends Form {
  /** True if it changes nothing. */
  readonly isRead: boolean;
  runPlain(context: PlainContext, words: Values, options: Values): Promise<ExitCode>;
}

type NoWords = Record<never, Word>;
type NoOptions = Record<never, Option>;

/** Declares a command of an operator. The description determines the types of the values. */
export const operatorCommand = <
  const OwnWords extends Words = NoWords,
  const OwnOptions extends Options = NoOptions,
>(
  command: Form<OwnWords, OwnOptions> &
    Pick<OperatorCommand, 'verb'> & {
      readonly run: (
        context: AdminContext,
        words: WordValues<OwnWords>,
        options: OptionValues<OwnOptions>,
      ) => ReturnType<OperatorCommand['run']>;
    },
): OperatorCommand => command;

/** Declares a command that does not open the table, like {@link operatorCommand}. */
export const plainCommand = <
  const OwnWords extends Words = NoWords,
  const OwnOptions extends Options = NoOptions,
>(
  command: Form<OwnWords, OwnOptions> &
    Pick<PlainCommand, 'isRead'> & {
      readonly runPlain: (
        context: PlainContext,
        words: WordValues<OwnWords>,
        options: OptionValues<OwnOptions>,
      ) => Promise<ExitCode>;
    },
): PlainCommand => command;

/** Returns true if the command changes nothing. Pure. */
export const isReadOnly = (command: Command): boolean =>
  'verb' in command ? verbs[command.verb].isRead === true : command.isRead;

/** Commands by name: noun and verb, such as `key create`, or one word. */
export type Commands = Readonly<Record<string, Command>>;

/** Returns this run of the admin command as an act for the audit log. */
export function operatorAct(verb: Verb): Act {
  return { actor: { kind: 'operator', id: userInfo().username }, verb, requestId: randomUUID() };
}
