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

/** The clients whose names people bring, with the versions in which they were found. */
export const clients = {
  ayrshare: 'Ayrshare: https://www.ayrshare.com/docs/apis/post/post',
  blotato: '@blotato/n8n-nodes-blotato 1.0.10: https://help.blotato.com/api/api-reference/publish-post',
  buffer: 'Buffer: https://developers.buffer.com',
  postForMe: 'post-for-me 2.9.1',
  postiz: 'Postiz: https://docs.postiz.com/public-api',
  uploadPost: 'upload-post 2.14.0',
  zernio: '@zernio/node 0.2.881',
} as const;

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
