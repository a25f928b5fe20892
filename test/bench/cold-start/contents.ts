import { basename, dirname } from 'node:path';
import type { Metafile } from 'esbuild';

/** The bytes that an import loads, by package or by folder of ours. */
export type Contents = ReadonlyMap<string, number>;

/**
 * Returns the files that the import of each bundle loads, by the function's name: its main file and the files that it imports,
 * without those that are loaded lazily.
 *
 * @param metafiles a later one replaces an earlier one of the same bundle
 */
export function contentsOf(metafiles: readonly Metafile[]): ReadonlyMap<string, Contents> {
  const all = new Map<string, Contents>();
  for (const { outputs } of metafiles) {
    for (const path of Object.keys(outputs)) {
      if (basename(path) === 'index.mjs') all.set(basename(dirname(path)), contentsOfFile(outputs, path));
    }
  }
  return all;
}

function contentsOfFile(outputs: Metafile['outputs'], main: string): Contents {
  const bytes = new Map<string, number>();
  const files = new Set([main]);
  for (const file of files) {
    const { inputs = {}, imports = [] } = outputs[file] ?? {};
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const origin = originOf(input);
      bytes.set(origin, (bytes.get(origin) ?? 0) + bytesInOutput);
    }
    for (const { kind, path } of imports) if (kind === 'import-statement' && path in outputs) files.add(path);
  }
  return new Map([...bytes].sort(([, one], [, other]) => other - one));
}

/** Returns the number of bytes that the import loads. */
export const loadedBytes = (contents: Contents | undefined): number =>
  [...(contents?.values() ?? [])].reduce((sum, bytes) => sum + bytes, 0);

/** Names a package, such as `zod` or `@smithy/core`, or a folder of ours, such as `lib/posts`. */
function originOf(input: string): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input) ?? [];
  return name ?? input.split('/').slice(0, 2).join('/');
}
