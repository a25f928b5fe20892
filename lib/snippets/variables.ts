/** A pattern for a variable in a saved text, such as `{{name}}`. Other braces are text. */
const variable = /\{\{[ \t]*([A-Za-z][A-Za-z0-9_-]{0,39})[ \t]*\}\}/g;

/** The variables that a post knows a value for, unless the request gives another one. */
export const builtInVariables = ['account', 'date'] as const;
export type BuiltInVariable = (typeof builtInVariables)[number];

/** Returns the names of a text's variables, each once, in order. Pure. */
export const variablesOf = (content: string): string[] => [
  ...new Set([...content.matchAll(variable)].flatMap(([, name]) => name ?? [])),
];

/**
 * Returns a text with the values of its variables. A value is inserted as it is: braces in it are text. A variable without a value
 * stays. Pure.
 */
export const withValues = (content: string, values: ReadonlyMap<string, string>): string =>
  content.replace(variable, (braces, name: string) => values.get(name) ?? braces);

/** Returns a post's text with saved texts at its end, each after an empty line. Pure. */
export const appended = (content: string, texts: readonly string[]): string =>
  [content, ...texts].filter((text) => text !== '').join('\n\n');
