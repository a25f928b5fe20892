import { isAscii } from 'node:buffer';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';

/** The source of a function. */
export interface BundleEntry {
  /** Also the name of the bundle's folder. */
  readonly name: string;
  /** Relative to the project's root, such as `functions/api/posts/create.ts`. */
  readonly entry: string;
  /** Files to copy unchanged into the bundle's folder, relative to the project's root. */
  readonly files?: readonly string[];
}

export interface BundleOptions {
  /** The project's root, absolute. */
  readonly root: string;
  /**
   * Absolute. Receives `bundles/<name>/index.mjs` with the function's lazy packages and files in the same folder, and
   * `source-maps/<name>/index.mjs.map`.
   */
  readonly outputDirectory: string;
  /**
   * The module whose `start` turns each entry's exported `build` into the handler, relative to the root. If absent, each
   * entry must export `handler` itself.
   */
  readonly startModule?: string;
}

/** Returns the folder of a function's bundle. */
export type BundleDirectory = (functionName: string) => string;

/** Packages that few requests need. They stay outside the bundle so that cold starts do not parse them. */
const lazyPackages: readonly string[] = ['temporal-polyfill'];

const shims = join(import.meta.dirname, 'lambda-shims');

/**
 * Bundles all functions in one run of esbuild, and their lazy packages in a second one. The same sources give the same
 * bytes, so an unchanged function keeps its asset hash. Source maps are written outside the bundles' folders, so they
 * are not deployed.
 *
 * @throws Error if an entry does not exist (it names all of them), if a bundle contains a character that is not ASCII,
 *   or if esbuild fails.
 */
export async function bundleFunctions(
  entries: readonly BundleEntry[],
  { root, outputDirectory, startModule }: BundleOptions,
): Promise<BundleDirectory> {
  const missing = entries.flatMap(({ name, entry, files = [] }) =>
    [entry, ...files]
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${path} (function ${name})`),
  );
  if (missing.length > 0) throw new Error(`these files do not exist: ${missing.join(', ')}`);
  const bundles = join(outputDirectory, 'bundles');
  const options = { ...commonOptions, absWorkingDir: root, outdir: bundles };
  const { metafile, outputFiles } = await build({
    ...options,
    entryPoints: entries.map(({ name, entry }) => ({ in: entry, out: `${name}/index` })),
    plugins: [...options.plugins, ...(startModule === undefined ? [] : [startedBy(startModule, root)])],
  });
  const lazy = await build({ ...options, entryPoints: lazyEntryPoints(metafile) });
  const code = [...outputFiles, ...lazy.outputFiles];
  requireAscii(code);
  const files = [...code, ...copiedFiles(entries, root, bundles)];
  for (const file of files) writeOutput(file, bundles, join(outputDirectory, 'source-maps'));
  removeStale(bundles, new Set(files.map(({ path }) => path)));
  return (functionName) => join(bundles, functionName);
}

function copiedFiles(entries: readonly BundleEntry[], root: string, bundles: string): WrittenFile[] {
  return entries.flatMap(({ name, files = [] }) =>
    files.map((file) => ({
      path: join(bundles, name, basename(file)),
      contents: readFileSync(join(root, file)),
    })),
  );
}

/** Each function that loads a lazy package gets its own copy of it. */
function lazyEntryPoints({ outputs }: Metafile) {
  return Object.entries(outputs).flatMap(([path, { imports }]) => {
    const folder = basename(dirname(path));
    const isUsed = (packageName: string) => imports.some((found) => found.path === lazyFile(packageName));
    return lazyPackages
      .filter(isUsed)
      .map((packageName) => ({ in: packageName, out: `${folder}/${packageName}` }));
  });
}

const lazyFile = (packageName: string) => `./${packageName}.mjs`;

/** Makes `import()` of a lazy package load the copy in the bundle's folder at run time. */
const loadLazyPackages: Plugin = {
  name: 'load-lazy-packages',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${lazyPackages.join('|')})$`) }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: lazyFile(path), external: true } : undefined,
    );
  },
};

/**
 * Loads Node's built-in modules with `process.getBuiltinModule` instead of `import`. An `import` of `node:http` reads all
 * of its exports, and the getter of one of them loads a whole HTTP client, which costs 25 ms. Because every built-in
 * module is loaded this way, `require` in CommonJS dependencies needs no shim either.
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
 * Leaves out the SDK's event streams if they are loaded with `import()`: they serve bidirectional calls, which this
 * service never makes. To load them lazily, esbuild would wrap the 150 modules that they share with the rest of the
 * bundle, which costs 5 ms at every cold start. Clients that import them statically, such as S3's, keep them.
 */
const withoutEventStreams: Plugin = {
  name: 'without-event-streams',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, namespace: 'left-out' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error('infra/bundling.ts leaves ${path} out of the bundles');`,
    }));
  },
};

/** Wraps each entry in a module that makes the handler from the entry's `build`. */
const startedBy = (startModule: string, root: string): Plugin => ({
  name: 'started-by',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'entry-point' ? { path, namespace: 'start' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'start' }, ({ path }) => ({
      contents: `import { start } from './${startModule}';
import { build } from './${path}';
export const handler = start(build);`,
      resolveDir: root,
    }));
  },
});

const commonOptions = {
  outExtension: { '.js': '.mjs' },
  write: false,
  metafile: true,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Prefer ES modules, which can be tree-shaken. esbuild's default for Node prefers CommonJS.
  mainFields: ['module', 'main'],
  minify: true,
  // A single character outside Latin-1 would make V8 store and parse the whole bundle as two-byte text.
  charset: 'ascii',
  legalComments: 'none',
  sourcemap: 'external',
  sourcesContent: false,
  logLevel: 'silent',
  alias: {
    '@aws-sdk/credential-provider-node': join(shims, 'environment-credentials.ts'),
    '@aws-sdk/endpoint-cache': join(shims, 'endpoint-cache.ts'),
  },
  plugins: [builtinsByGetter, withoutEventStreams, loadLazyPackages],
} satisfies BuildOptions;

/** esbuild escapes characters that are not ASCII in strings, but not in regular expressions. */
function requireAscii(files: readonly OutputFile[]): void {
  for (const { path, contents } of files) {
    if (path.endsWith('.map') || isAscii(contents)) continue;
    const [, found] = /(.{0,40}[^\0-\x7F].{0,20})/.exec(Buffer.from(contents).toString('utf8')) ?? [];
    throw new Error(
      `a regular expression contains a character that is not ASCII, write it as an escape (\\u…): ${found}`,
    );
  }
}

type WrittenFile = Pick<OutputFile, 'path' | 'contents'>;

function writeOutput({ path, contents }: WrittenFile, bundles: string, sourceMaps: string): void {
  const target = path.endsWith('.map') ? join(sourceMaps, relative(bundles, path)) : path;
  if (existsSync(target) && readFileSync(target).equals(contents)) return;
  mkdirSync(dirname(target), { recursive: true });
  // Renaming is atomic: a process that starts the function now never reads a partial bundle.
  const partial = join(dirname(dirname(target)), `.${basename(dirname(target))}.${process.pid}`);
  writeFileSync(partial, contents);
  renameSync(partial, target);
}

/** Deletes files and folders that this run did not write. An asset is a whole folder, so a leftover file would be deployed. */
function removeStale(bundles: string, written: ReadonlySet<string>): void {
  const folders = new Set([...written].map(dirname));
  for (const name of readdirSync(bundles)) {
    const folder = join(bundles, name);
    if (!folders.has(folder)) {
      if (!name.startsWith('.')) rmSync(folder, { recursive: true });
      continue;
    }
    for (const file of readdirSync(folder)) {
      if (!written.has(join(folder, file))) rmSync(join(folder, file), { recursive: true });
    }
  }
}
