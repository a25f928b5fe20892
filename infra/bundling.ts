import { isAscii } from 'node:buffer';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type BuildOptions, type BuildResult, build, type Metafile, type OutputFile } from 'esbuild';
import { type Digest, digestOf, digestsIn, findUnchanged, recordBuild } from './build-records.ts';
import {
  builtinsByGetter,
  builtModules,
  keptErrorsIn,
  lazyFile,
  lazyPackages,
  loadLazyPackages,
  removableSchemas,
  shims,
  startEntries,
  withoutEventStreams,
  withoutJsonSchema,
  withoutUnusedCommands,
} from './bundle-plugins.ts';
import { type CopiedPackage, filesOfPackages } from './copied-packages.ts';
import { type DeployedFiles, noticesOf } from './notices.ts';

/** The source of a function. */
export interface BundleEntry {
  /** Also the name of the bundle's folder. */
  readonly name: string;
  /** The entry's path relative to the project's root, such as `functions/api/posts/create.ts`. */
  readonly entry: string;
  /** Files to copy unchanged into the bundle's folder, relative to the project's root. */
  readonly files?: readonly string[];
  /** Programs that it starts as processes: modules that are bundled by themselves, as `<module's name>.mjs` beside it. */
  readonly programs?: readonly string[];
  /** Packages that are not bundled. They are copied into a folder `node_modules` beside it. */
  readonly packages?: readonly CopiedPackage[];
}

export interface BundleOptions {
  /** The project's root, absolute. */
  readonly root: string;
  /**
   * The output folder, absolute. It receives `bundles/<name>/index.mjs` with the function's lazy packages and files in the same
   * folder, `source-maps/<name>/index.mjs.map`, `records/<name>.json`, which says what they were built from, and
   * `third-party-notices.txt`.
   */
  readonly outputDirectory: string;
  /**
   * Receives esbuild's metafile, which says what each bundle contains, with paths relative to the root. If it is given, all
   * bundles are rebuilt.
   */
  readonly onContents?: (metafile: Metafile) => void;
  /**
   * The module whose `start` turns each entry's exported `build` into the handler, relative to the root. If absent, each
   * entry must export `handler` itself.
   */
  readonly startModule?: string;
}

/** Returns the folder of a function's bundle. */
export type BundleDirectory = (functionName: string) => string;

/**
 * Bundles the functions with changed sources, and those with missing or damaged bundles. The same sources give the same bytes, so
 * an unchanged function keeps its asset hash. Source maps are written outside the bundles' folders, so they are not deployed.
 *
 * @throws Error if an entry does not exist (it names all of them), if a package to copy is missing, if the licence of a library
 *   forbids to bundle it, if a bundle contains a character that is not ASCII, or if esbuild fails.
 */
export async function bundleFunctions(
  entries: readonly BundleEntry[],
  options: BundleOptions,
): Promise<BundleDirectory> {
  const { root, outputDirectory, startModule, onContents } = options;
  const missing = entries.flatMap(({ name, entry, files = [], programs = [] }) =>
    [entry, ...files, ...programs]
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${path} (function ${name})`),
  );
  if (missing.length > 0) throw new Error(`these files do not exist: ${missing.join(', ')}`);
  const bundles = join(outputDirectory, 'bundles');
  const records = join(outputDirectory, 'records');
  const recordOf = (name: string) => join(records, `${name}.json`);
  const tools = digestOfTools();
  const toolsOf = (entry: BundleEntry) => JSON.stringify([tools, entry, startModule]);
  const digest = digestOfInput(root);

  const changed: BundleEntry[] = [];
  const paths: string[] = [];
  const deployed: DeployedFiles[] = [];
  const deploy = (entry: BundleEntry, bundled: readonly string[]) =>
    deployed.push({ name: entry.name, bundled, copied: filesOfPackages(entry.packages ?? [], root) });
  for (const entry of entries) {
    const known = onContents ? undefined : findUnchanged(recordOf(entry.name), toolsOf(entry), digest);
    if (known === undefined) changed.push(entry);
    else {
      paths.push(...known.outputs);
      deploy(entry, known.inputs);
    }
  }
  if (changed.length > 0) {
    const { files, inputsOf } = await bundle(changed, options);
    const written = files.map((file) => ({
      name: folderIn(bundles, file.path),
      path: writeOutput(file, bundles, join(outputDirectory, 'source-maps')),
    }));
    for (const entry of changed) {
      const outputs = written.flatMap(({ name, path }) => (name === entry.name ? path : []));
      const build = { inputs: await inputsOf(entry), outputs };
      recordBuild(recordOf(entry.name), build, toolsOf(entry), digest);
      paths.push(...outputs);
      deploy(entry, build.inputs);
    }
  }
  for (const folder of [bundles, join(outputDirectory, 'source-maps')]) removeStale(folder, new Set(paths));
  const names = new Set(entries.map(({ name }) => `${name}.json`));
  for (const record of globSync('*.json', { cwd: records }))
    if (!names.has(record)) rmSync(join(records, record));
  writeFileSync(join(outputDirectory, 'third-party-notices.txt'), noticesOf(deployed, root));
  return (functionName) => join(bundles, functionName);
}

/**
 * Bundles functions in one run of esbuild, and their lazy packages in a second one. A function that loads our own modules with
 * `import()`, such as a platform's adapter, is bundled again by itself, split into files.
 *
 * @returns the files of the bundles with their source maps, and the sources of each bundle
 */
async function bundle(
  entries: readonly BundleEntry[],
  { root, outputDirectory, startModule, onContents }: BundleOptions,
) {
  const bundles = join(outputDirectory, 'bundles');
  const options = {
    ...commonOptions,
    absWorkingDir: root,
    outdir: bundles,
    plugins: [
      ...commonOptions.plugins,
      withoutUnusedCommands(root),
      ...(startModule === undefined ? [] : [startEntries(startModule, root)]),
    ],
  };
  const { metafile, outputFiles } = await build({
    ...options,
    entryPoints: entries.map(({ name, entry }) => ({ in: entry, out: `${name}/index` })),
  });
  const lazy = await build({
    ...options,
    plugins: commonOptions.plugins,
    entryPoints: [...lazyEntryPoints(metafile), ...entries.flatMap(programEntryPoints)],
  });
  const splitEntries = entries.filter(({ name }) => hasLazyModules(metafile, `${name}/index.mjs`));
  const parts = await Promise.all(
    splitEntries.map(({ name, entry }) =>
      build({
        ...options,
        splitting: true,
        entryPoints: [{ in: entry, out: `${name}/index` }],
        chunkNames: `${name}/[name]-[hash]`,
      }),
    ),
  );
  for (const each of [metafile, ...parts.map((part) => part.metafile)]) onContents?.(each);
  const folders = new Set(splitEntries.map(({ name }) => join(bundles, name)));
  const unsplit = outputFiles.filter(({ path }) => !folders.has(dirname(path)));
  const code = [...unsplit, ...parts.flatMap(neededFiles), ...lazy.outputFiles];
  requireAscii(code);
  return {
    files: [...code, ...copiedFiles(entries, root, bundles)],
    inputsOf: (entry: BundleEntry) => inputsOf(metafile, lazy.metafile, entry, root),
  };
}

/** Returns a digest of the programs and settings that decide how a source is built. Packages are as `package-lock.json` says. */
function digestOfTools(): string {
  const project = join(import.meta.dirname, '..');
  const digest = digestsIn(project);
  const shimFiles = globSync('infra/lambda-shims/*', { cwd: project }).sort();
  const plugins = ['infra/bundling.ts', 'infra/bundle-plugins.ts'];
  const files = [...plugins, 'package.json', 'package-lock.json', 'tsconfig.json'];
  return digestOf([process.version, ...[...files, ...shimFiles].map(digest)].join());
}

/** Returns a function for the digests of sources. In a package, only the errors that our sources name can change the bundle. */
function digestOfInput(root: string): Digest {
  const digest = digestsIn(root);
  const keptErrors = keptErrorsIn(root);
  const known = new Map<string, string>();
  return (input) => {
    if (!input.includes('node_modules/')) return digest(input);
    const errors = known.get(input) ?? keptErrors(input).join();
    known.set(input, errors);
    return errors;
  };
}

/**
 * Returns the files that a bundle is built from, relative to the root: its sources and packages with everything that they import.
 */
async function inputsOf(
  { inputs, outputs }: Metafile,
  { inputs: inputsOfPrograms }: Metafile,
  { name, files = [], programs = [] }: BundleEntry,
  root: string,
): Promise<readonly string[]> {
  const [, { entryPoint = '' } = {}] =
    Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.mjs`)) ?? [];
  const found = new Set([...importedFrom([entryPoint], inputs), ...importedFrom(programs, inputsOfPrograms)]);
  const built = [...found].filter((path) => path.endsWith('.built.ts'));
  const ofBuilt = await Promise.all(built.map((path) => sourcesOf(path, root)));
  // A namespace is the name of a plugin that makes the module's content.
  const read = [...found].filter((path) => !/^[\w-]+:/.test(path));
  return [...new Set([...read, ...ofBuilt.flat(), ...files])];
}

/** Returns modules with everything that they import. */
function importedFrom(modules: readonly string[], inputs: Metafile['inputs']): ReadonlySet<string> {
  const found = new Set(modules);
  for (const path of found) {
    for (const { path: imported, external } of inputs[path]?.imports ?? [])
      if (!external) found.add(imported);
  }
  return found;
}

/** Returns the sources of a module that is computed at build time, because esbuild does not see its imports. */
async function sourcesOf(module: string, root: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [module],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
}

function copiedFiles(entries: readonly BundleEntry[], root: string, bundles: string): WrittenFile[] {
  return entries.flatMap(({ name, files = [], packages = [] }) => [
    ...files.map((file) => ({
      path: join(bundles, name, basename(file)),
      contents: readFileSync(join(root, file)),
    })),
    ...filesOfPackages(packages, root).map((file) => ({
      path: join(bundles, name, file),
      contents: readFileSync(join(root, file)),
    })),
  ]);
}

/** Returns the files that a bundle loads at once or lazily. esbuild also writes files for `import()` calls that it has removed. */
function neededFiles({
  metafile: { outputs },
  outputFiles,
}: BuildResult<typeof commonOptions>): OutputFile[] {
  const needed = new Set(Object.keys(outputs).filter((path) => basename(path) === 'index.mjs'));
  for (const path of needed) {
    for (const { path: other } of outputs[path]?.imports ?? []) if (other in outputs) needed.add(other);
  }
  const names = new Set([...needed].map((path) => basename(path)));
  return outputFiles.filter(({ path }) => names.has(basename(path, '.map')));
}

/** Returns true if a bundle loads one of our modules with `import()`. */
function hasLazyModules({ inputs, outputs }: Metafile, bundle: string): boolean {
  const [, output] = Object.entries(outputs).find(([path]) => path.endsWith(`/${bundle}`)) ?? [];
  return Object.keys(output?.inputs ?? {}).some((path) =>
    inputs[path]?.imports.some(({ kind, path: to }) => kind === 'dynamic-import' && to.startsWith('lib/')),
  );
}

/** Returns an entry point per function and lazy package, because each function gets its own copy. */
function lazyEntryPoints({ outputs }: Metafile) {
  return Object.entries(outputs).flatMap(([path, { imports }]) => {
    const folder = basename(dirname(path));
    const isUsed = (packageName: string) => imports.some((found) => found.path === lazyFile(packageName));
    return lazyPackages
      .filter(isUsed)
      .map((packageName) => ({ in: packageName, out: `${folder}/${packageName}` }));
  });
}

/** Returns an entry point per program of a function. */
function programEntryPoints({ name, programs = [] }: BundleEntry) {
  return programs.map((program) => ({ in: program, out: `${name}/${basename(program, '.ts')}` }));
}

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
    '@modelcontextprotocol/server/_shims': join(shims, 'no-schema-validator.ts'),
  },
  plugins: [
    builtModules,
    removableSchemas,
    withoutJsonSchema,
    builtinsByGetter,
    withoutEventStreams,
    loadLazyPackages,
  ],
} satisfies BuildOptions;

/** Requires ASCII output. esbuild escapes other characters in strings, but not in regular expressions. */
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

/** Writes an output and returns its path. */
function writeOutput({ path, contents }: WrittenFile, bundles: string, sourceMaps: string): string {
  const target = path.endsWith('.map') ? join(sourceMaps, relative(bundles, path)) : path;
  if (existsSync(target) && readFileSync(target).equals(contents)) return target;
  mkdirSync(dirname(target), { recursive: true });
  // Renaming is atomic: a process that starts the function now never reads a partial bundle.
  const partial = join(dirname(dirname(target)), `.${basename(dirname(target))}.${process.pid}`);
  writeFileSync(partial, contents);
  renameSync(partial, target);
  return target;
}

/**
 * Deletes files and folders that belong to no function. An asset is a whole folder, so a leftover file would be deployed.
 *
 * @param parent has a folder for each function
 */
function removeStale(parent: string, written: ReadonlySet<string>): void {
  if (!existsSync(parent)) return;
  const needed = new Set(written);
  // A set grows while it is walked.
  for (const path of needed) if (path !== parent) needed.add(dirname(path));
  const removeIn = (folder: string) => {
    for (const each of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, each.name);
      if (!needed.has(path)) {
        if (folder !== parent || !each.name.startsWith('.')) rmSync(path, { recursive: true });
      } else if (each.isDirectory()) removeIn(path);
    }
  };
  removeIn(parent);
}

/** Returns the folder directly in another one that has a path. */
const folderIn = (parent: string, path: string): string => relative(parent, path).split(sep)[0] ?? '';
