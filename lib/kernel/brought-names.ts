import { plainName } from './nearest-name.ts';

/** A name that people bring from a platform's API or from another client, and that is not a name of ours. */
export interface BroughtName {
  /** The API or the client that has the name. */
  readonly from: string;
  /** The name to use here, such as `platforms[].customContent`. Absent if there is nothing like it. */
  readonly use?: string;
  /** True if only a text is meant: an object of this name is part of one of our answers. */
  readonly isText?: boolean;
}

/** The brought names of one place in a request. Upper and lower case, `_` and `-` make no difference. */
export type BroughtNames = Readonly<Record<string, BroughtName>>;

/**
 * Returns the names of one source.
 *
 * @param nothingAlike names without anything like it here
 * @param instead names with what to use here
 */
export function namesOfSource(
  from: string,
  nothingAlike: readonly string[],
  instead: Readonly<Record<string, string>> = {},
): BroughtNames {
  return Object.fromEntries([
    ...nothingAlike.map((name) => [name, { from }]),
    ...Object.entries(instead).map(([name, use]) => [name, { from, use }]),
  ]);
}

const byPlainName = new WeakMap<BroughtNames, ReadonlyMap<string, BroughtName>>();

/** Returns the entry of a name; `undefined` if nobody is known to bring it. */
export function findBrought(names: BroughtNames, name: string): BroughtName | undefined {
  let index = byPlainName.get(names);
  if (!index) {
    index = new Map(Object.entries(names).map(([key, entry]) => [plainName(key), entry]));
    byPlainName.set(names, index);
  }
  return index.get(plainName(name));
}

/** Returns the message that refuses a name. @param use the name to use here */
export const notSupported = (use: string | undefined): string =>
  use === undefined ? 'is not supported; leave it out' : `is not supported; use ${use} instead`;
