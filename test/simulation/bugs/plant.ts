import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Patch } from './planted-bug.ts';
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
  const sources = sourcesWith(name === undefined ? [] : plantedBugs[name].patches);
  const loaded = new Set<string>();
  registerHooks({
    load(url, context, nextLoad) {
      const source = sources.get(url);
      if (source === undefined) return nextLoad(url, context);
      loaded.add(url);
      return { ...nextLoad(url, context), source };
    },
  });
  return () => requireAll(sources, loaded);
}

/**
 * Prepares a process in which bugs are planted one after the other. Loading the whole service takes a second, so a bug
 * makes only the changed files load again, and the files that import them, directly or not. Each bug has copies of its own
 * of those: a number at the end of their URLs tells them from the others'. Must be called before anything imports the
 * service. The first import must come before the first bug: it shows which file imports which.
 *
 * @returns a function that plants a bug for all imports from now on. What it returns throws an Error if a changed file has
 *   not been loaded by then
 */
export function plantBugsInTurn(): (name: BugName) => () => void {
  const importersOf = new Map<string, Set<string>>();
  let sources: ReadonlyMap<string, string> = new Map();
  let affected: ReadonlySet<string> = new Set();
  let loaded = new Set<string>();
  let suffix = '';
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const importers = importersOf.get(resolved.url) ?? new Set();
      if (context.parentURL !== undefined) importers.add(withoutQuery(context.parentURL));
      importersOf.set(resolved.url, importers);
      return affected.has(resolved.url) ? { ...resolved, url: resolved.url + suffix } : resolved;
    },
    load(url, context, nextLoad) {
      const file = withoutQuery(url);
      const source = url === file ? undefined : sources.get(file);
      if (source === undefined) return nextLoad(url, context);
      loaded.add(file);
      return { ...nextLoad(url, context), source };
    },
  });
  return (name) => {
    sources = sourcesWith(plantedBugs[name].patches);
    // A set may grow while it is iterated.
    const grown = new Set(sources.keys());
    for (const url of grown) for (const importer of importersOf.get(url) ?? []) grown.add(importer);
    affected = grown;
    suffix = `?bug=${Object.keys(plantedBugs).indexOf(name)}`;
    const loadedNow = new Set<string>();
    loaded = loadedNow;
    const sourcesNow = sources;
    return () => requireAll(sourcesNow, loadedNow);
  };
}

const withoutQuery = (url: string) => url.replace(/\?bug=\d+$/, '');

/** The changed sources of a bug, by URL. @throws Error if a file does not contain the text to replace exactly once */
export function sourcesWith(patches: readonly Patch[]): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const { file, replace, with: by } of patches) {
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
  return sources;
}

function requireAll(sources: ReadonlyMap<string, string>, loaded: ReadonlySet<string>): void {
  const missing = [...sources.keys()].filter((url) => !loaded.has(url));
  if (missing.length > 0) throw new Error(`the bug is not planted: not loaded: ${missing.join(', ')}`);
}
