import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BugName, plantedBugs } from './planted-bugs.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Plants a bug: changes the service's source when it is loaded. Must be called before anything imports the service.
 *
 * @param name does nothing if it is undefined
 * @returns a function that throws an Error if a changed file has not been loaded by then
 * @throws Error if a file does not contain the text to replace exactly once
 */
export function plantBug(name: BugName | undefined): () => void {
  const sources = new Map<string, string>();
  for (const { file, replace, with: by } of name === undefined ? [] : plantedBugs[name].patches) {
    const url = pathToFileURL(join(root, file)).href;
    const source = sources.get(url) ?? readFileSync(join(root, file), 'utf8');
    const count = source.split(replace).length - 1;
    if (count !== 1)
      throw new Error(`the bug is not planted: ${file} contains this ${count} times, not once: ${replace}`);
    sources.set(
      url,
      source.replace(replace, () => by),
    );
  }
  const loaded = new Set<string>();
  registerHooks({
    load(url, context, nextLoad) {
      const source = sources.get(url);
      if (source === undefined) return nextLoad(url, context);
      loaded.add(url);
      return { ...nextLoad(url, context), source };
    },
  });
  return () => {
    const missing = [...sources.keys()].filter((url) => !loaded.has(url));
    if (missing.length > 0) throw new Error(`the bug is not planted: not loaded: ${missing.join(', ')}`);
  };
}
