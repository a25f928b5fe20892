import type { Writable } from 'node:stream';
import { controlCharacters, readable } from '../readable.ts';

type Value = string | number | boolean | null | undefined | readonly string[];

/** The fields of one thing, by the names that `--json` shows. Fields without a value are left out. */
export type Row = Readonly<Record<string, Value>>;

/** The output of a command: its result on stdout, as text or JSON, and everything else on stderr. */
export interface Output {
  /** Prints a list of things: a table, or an array in JSON. */
  readonly list: (rows: readonly Row[]) => void;
  /** Prints one thing: a line for each field, or an object in JSON. */
  readonly one: (row: Row) => void;
  /** Prints a result that is not a list of fields: these lines, or `value` in JSON. */
  readonly result: (value: object, lines: readonly string[]) => void;
  /** Prints one of many results, while they arrive: a line of text, or a line of JSON. */
  readonly line: (value: object, text: string) => void;
  /** Prints a message that helps a person but is not part of the result. */
  readonly note: (text: string) => void;
}

/**
 * Creates the output of a command.
 *
 * @param isJson true if a program reads the result
 */
export function outputTo(stdout: Writable, stderr: Writable, isJson: boolean): Output {
  const write = (to: Writable, lines: readonly string[]) => {
    for (const line of lines) to.write(`${line}\n`);
  };
  const result: Output['result'] = (value, lines) =>
    write(stdout, isJson ? [toJson(value, 2)] : lines.map(readable));
  const note = (text: string) => write(stderr, text.split('\n').map(readable));
  return {
    list: (rows) => {
      result(rows, tableLines(rows));
      if (rows.length === 0 && !isJson) note('none');
    },
    one: (row) => result(row, fieldLines(row)),
    result,
    line: (value, text) => write(stdout, [isJson ? toJson(value) : readable(text)]),
    note,
  };
}

/**
 * Converts to JSON and escapes the control characters that JSON leaves as they are, because a terminal obeys them. No value
 * changes.
 */
const toJson = (value: object, indent?: number): string =>
  JSON.stringify(value, null, indent)
    .split('\n')
    .map((line) => line.replaceAll(controlCharacters, escaped))
    .join('\n');

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');

const shown = (value: Value): string => {
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? '-' : readable(text);
};

/** Converts a field's name to words, such as `createdAt` to `created at`. */
export const inWords = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * Formats rows as a table with a heading, for people. Pure.
 *
 * @returns no lines if there are no rows
 */
export function tableLines(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const heading = names.map((name) => inWords(name).toUpperCase());
  const cells = rows.map((row) => names.map((name) => shown(row[name])));
  const widths = names.map((_, column) =>
    Math.max(...[heading, ...cells].map((line) => line[column]?.length ?? 0)),
  );
  const aligned = (line: readonly string[]) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.length === 0 ? [] : [heading, ...cells].map(aligned);
}

/** Formats a row as a line for each field, for people. Pure. */
export function fieldLines(row: Row): string[] {
  const fields = Object.entries(row).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...fields.map(([name]) => inWords(name).length));
  return fields.map(([name, value]) => `${inWords(name).padEnd(width)}  ${shown(value)}`);
}
