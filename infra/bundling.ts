import { isAscii } from 'node:buffer';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { build, type OutputFile, type Plugin } from 'esbuild';

/** A function's source: its `name` becomes the bundle's folder. */
export interface BundleEntry {
  readonly name: string;
  /** Relative to the project's root, such as `functions/api/posts/create.ts`. */
  readonly entry: string;
}

export interface BundleOptions {
  /** The project's root, absolute. */
  readonly root: string;
  /** Absolute; gets `bundles/<name>/index.mjs` and `source-maps/<name>/index.mjs.map`. */
  readonly outputDirectory: string;
}

/** Where the bundle of a function lies, by the function's name. */
export type BundleDirectory = (functionName: string) => string;

const bundleFile = 'index.mjs';
const shims = join(import.meta.dirname, 'lambda-shims');

/**
 * Bundles all functions in one run of esbuild. The same sources give the same bytes, so that an unchanged function
 * keeps its asset hash. Source maps lie beside the bundles' folders, never in them: they are no part of an asset.
 *
 * @throws Error naming every entry that does not exist, or what is not ASCII, or with esbuild's messages.
 */
export async function bundleFunctions(
  entries: readonly BundleEntry[],
  { root, outputDirectory }: BundleOptions,
): Promise<BundleDirectory> {
  const missing = entries.filter(({ entry }) => !existsSync(join(root, entry)));
  if (missing.length > 0) {
    throw new Error(
      `no such entry: ${missing.map(({ name, entry }) => `${entry} (function ${name})`).join(', ')}`,
    );
  }
  const bundles = join(outputDirectory, 'bundles');
  const result = await build({
    absWorkingDir: root,
    entryPoints: entries.map(({ name, entry }) => ({ in: entry, out: `${name}/index` })),
    outdir: bundles,
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // Packages' ES modules, which can be shaken; esbuild's default for Node would take their CommonJS.
    mainFields: ['module', 'main'],
    minify: true,
    // One letter beyond Latin-1 would make V8 hold and parse the whole bundle as two-byte text.
    charset: 'ascii',
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'silent',
    alias: {
      '@aws-sdk/credential-provider-node': join(shims, 'environment-credentials.ts'),
      '@aws-sdk/endpoint-cache': join(shims, 'endpoint-cache.ts'),
    },
    plugins: [builtinsByGetter, withoutEventStreams],
  });
  requireAscii(result.outputFiles);
  for (const file of result.outputFiles) writeOutput(file, bundles, join(outputDirectory, 'source-maps'));
  removeStale(bundles, new Set(entries.map(({ name }) => name)));
  return (functionName) => join(bundles, functionName);
}

/**
 * Takes Node's own modules through `process.getBuiltinModule` rather than by `import`. An import of `node:http` builds
 * a namespace of all its exports, one of which is a getter that loads a whole HTTP client: 25 ms against none. With
 * every built-in module taken this way, a CommonJS dependency's `require` needs no shim either.
 */
const builtinsByGetter: Plugin = {
  name: 'builtins-by-getter',
  setup({ onResolve, onLoad }) {
    const names = builtinModules.filter((name) => !name.startsWith('_') && !name.startsWith('node:'));
    const filter = new RegExp(`^(node:.+|${names.join('|')})$`);
    onResolve({ filter }, ({ path }) => ({
      path: path.startsWith('node:') ? path : `node:${path}`,
      namespace: 'builtin',
      sideEffects: false,
    }));
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/**
 * The SDK loads its event streams (bidirectional calls, which nothing here makes) by `import()`. For that one call
 * esbuild would wrap a hundred and fifty modules they have in common with the rest, so that they can be loaded late:
 * 5 ms at every cold start. Where a client imports them outright, as S3's does, they stay.
 */
const withoutEventStreams: Plugin = {
  name: 'without-event-streams',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, namespace: 'left-out' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error('${path} is left out of the bundles: see infra/bundling.ts');`,
    }));
  },
};

/** esbuild escapes what is not ASCII in texts, but leaves regular expressions as they are. */
function requireAscii(files: readonly OutputFile[]): void {
  for (const { path, contents } of files) {
    if (path.endsWith('.map') || isAscii(contents)) continue;
    const [, found] = /(.{0,40}[^\0-\x7F].{0,20})/.exec(Buffer.from(contents).toString('utf8')) ?? [];
    throw new Error(`write what is not ASCII in a regular expression as an escape (\\u…): ${found}`);
  }
}

function writeOutput({ path, contents }: OutputFile, bundles: string, sourceMaps: string): void {
  const target = path.endsWith('.map') ? join(sourceMaps, relative(bundles, path)) : path;
  if (existsSync(target) && readFileSync(target).equals(contents)) return;
  mkdirSync(dirname(target), { recursive: true });
  // By rename, so that a process that starts the function at this moment never reads half a bundle.
  const partial = join(dirname(dirname(target)), `.${basename(dirname(target))}.${process.pid}`);
  writeFileSync(partial, contents);
  renameSync(partial, target);
}

/** An asset is a whole folder: nothing but the bundle may be in it, and no folder of a function that is gone. */
function removeStale(bundles: string, names: ReadonlySet<string>): void {
  for (const name of readdirSync(bundles)) {
    if (!names.has(name)) {
      if (!name.startsWith('.')) rmSync(join(bundles, name), { recursive: true });
      continue;
    }
    for (const file of readdirSync(join(bundles, name))) {
      if (file !== bundleFile) rmSync(join(bundles, name, file), { recursive: true });
    }
  }
}
