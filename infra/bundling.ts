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
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type BuildOptions,
  type BuildResult,
  build,
  type Metafile,
  type OutputFile,
  type Plugin,
} from 'esbuild';

/** A function's source: its `name` becomes the bundle's folder. */
export interface BundleEntry {
  readonly name: string;
  /** Relative to the project's root, such as `functions/api/posts/create.ts`. */
  readonly entry: string;
  /** Files that are laid beside the bundle as they are, relative to the project's root. */
  readonly files?: readonly string[];
}

export interface BundleOptions {
  /** The project's root, absolute. */
  readonly root: string;
  /** Absolute; gets `bundles/<name>/index.mjs`, late packages and other files beside it, and `source-maps/<name>/index.mjs.map`. */
  readonly outputDirectory: string;
  /** Told what each bundle is made of: esbuild's own account, with paths relative to the root. */
  readonly onContents?: (metafile: Metafile) => void;
  /**
   * The module whose `start` makes the handler from the `build` that each entry exports, relative to the root.
   * Without it, entries export `handler` themselves.
   */
  readonly startModule?: string;
}

/** Where the bundle of a function lies, by the function's name. */
export type BundleDirectory = (functionName: string) => string;

/** Packages that few requests need. `import()` of one loads a file beside the bundle, which no cold start parses. */
const latePackages: readonly string[] = ['temporal-polyfill'];

const shims = join(import.meta.dirname, 'lambda-shims');

/**
 * Bundles all functions in one run of esbuild, and what they load late in another. The same sources give the same
 * bytes, so that an unchanged function keeps its asset hash. Source maps lie beside the bundles' folders, never in
 * them: they are no part of an asset.
 *
 * @throws Error naming every entry that does not exist, or what is not ASCII, or with esbuild's messages.
 */
export async function bundleFunctions(
  entries: readonly BundleEntry[],
  { root, outputDirectory, startModule, onContents }: BundleOptions,
): Promise<BundleDirectory> {
  const missing = entries.flatMap(({ name, entry, files = [] }) =>
    [entry, ...files]
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${path} (function ${name})`),
  );
  if (missing.length > 0) throw new Error(`no such entry: ${missing.join(', ')}`);
  const bundles = join(outputDirectory, 'bundles');
  const options = {
    ...commonOptions,
    absWorkingDir: root,
    outdir: bundles,
    plugins: [
      ...commonOptions.plugins,
      withoutUnusedCommands(root),
      ...(startModule === undefined ? [] : [startedBy(startModule, root)]),
    ],
  };
  const { metafile, outputFiles } = await build({
    ...options,
    entryPoints: entries.map(({ name, entry }) => ({ in: entry, out: `${name}/index` })),
  });
  const late = await build({
    ...options,
    plugins: commonOptions.plugins,
    entryPoints: lateEntryPoints(metafile),
  });
  const inParts = entries.filter(({ name }) => loadsOursLate(metafile, `${name}/index.mjs`));
  const parts = await Promise.all(
    inParts.map(({ name, entry }) =>
      build({
        ...options,
        splitting: true,
        entryPoints: [{ in: entry, out: `${name}/index` }],
        chunkNames: `${name}/[name]-[hash]`,
      }),
    ),
  );
  for (const each of [metafile, ...parts.map((part) => part.metafile)]) onContents?.(each);
  const folders = new Set(inParts.map(({ name }) => join(bundles, name)));
  const whole = outputFiles.filter(({ path }) => !folders.has(dirname(path)));
  const code = [...whole, ...parts.flatMap(neededFiles), ...late.outputFiles];
  requireAscii(code);
  const files = [...code, ...filesBeside(entries, root, bundles)];
  for (const file of files) writeOutput(file, bundles, join(outputDirectory, 'source-maps'));
  removeStale(bundles, new Set(files.map(({ path }) => path)));
  return (functionName) => join(bundles, functionName);
}

function filesBeside(entries: readonly BundleEntry[], root: string, bundles: string): WrittenFile[] {
  return entries.flatMap(({ name, files = [] }) =>
    files.map((file) => ({
      path: join(bundles, name, basename(file)),
      contents: readFileSync(join(root, file)),
    })),
  );
}

/** The files that a bundle needs, now or late: esbuild also splits off what code that fell away would have loaded. */
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

/** Whether a bundle calls `import()` for a module of ours. */
function loadsOursLate({ inputs, outputs }: Metafile, bundle: string): boolean {
  const [, output] = Object.entries(outputs).find(([path]) => path.endsWith(`/${bundle}`)) ?? [];
  return Object.keys(output?.inputs ?? {}).some((path) =>
    inputs[path]?.imports.some(({ kind, path: to }) => kind === 'dynamic-import' && to.startsWith('lib/')),
  );
}

/** A copy of a late package in the folder of each function that loads it. */
function lateEntryPoints({ outputs }: Metafile) {
  return Object.entries(outputs).flatMap(([path, { imports }]) => {
    const folder = basename(dirname(path));
    const isUsed = (packageName: string) => imports.some((found) => found.path === lateFile(packageName));
    return latePackages
      .filter(isUsed)
      .map((packageName) => ({ in: packageName, out: `${folder}/${packageName}` }));
  });
}

const lateFile = (packageName: string) => `./${packageName}.mjs`;

/** Leaves `import()` of a late package as it is, to find the copy beside the bundle. */
const loadedLate: Plugin = {
  name: 'loaded-late',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${latePackages.join('|')})$`) }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: lateFile(path), external: true } : undefined,
    );
  },
};

/**
 * Takes Node's own modules through `process.getBuiltinModule` rather than by `import`. An import of `node:http` builds
 * a namespace of all its exports, one of which is a getter that loads a whole HTTP client: 25 ms against none. Of the
 * exports those are read that a function uses. With every built-in module taken this way, a CommonJS dependency's
 * `require` needs no shim either.
 */
const builtinsByGetter: Plugin = {
  name: 'builtins-by-getter',
  setup({ onResolve, onLoad }) {
    const names = builtinModules.filter((name) => !name.startsWith('_') && !name.startsWith('node:'));
    const filter = new RegExp(`^(node:.+|${names.join('|')})$`);
    onResolve({ filter }, ({ path, kind }) => ({
      path: path.startsWith('node:') ? path : `node:${path}`,
      namespace: kind === 'import-statement' ? 'builtin' : 'whole-builtin',
      sideEffects: false,
    }));
    onLoad({ filter: /.*/, namespace: 'whole-builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const exported = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) =>
        /^[a-z]\w*$/i.test(name),
      );
      const lines = [
        `const all = /* @__PURE__ */ process.getBuiltinModule('${path}');`,
        'export default all;',
        ...exported.map((name) => `const $${name} = /* @__PURE__ */ (() => all.${name})();`),
        `export { ${exported.map((name) => `$${name} as ${name}`)} };`,
      ];
      return { contents: lines.join('\n') };
    });
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

/**
 * Replaces a module `<name>.built.ts` by the value that it exports, worked out here, so that a function starts without
 * what that is made from.
 */
const builtNow: Plugin = {
  name: 'built-now',
  setup({ onLoad }) {
    onLoad({ filter: /\.built\.ts$/, namespace: 'file' }, async ({ path }) => {
      const { default: value } = (await import(pathToFileURL(path).href)) as { default: unknown };
      return { contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(value))});` };
    });
  },
};

/**
 * Marks each schema that a module declares as one that may be left out. A method call, which most of them end in, tells
 * esbuild nothing of that, so it would keep every schema of a module of which a function uses one. What schemas say for
 * the API's document alone (`meta`, of which each makes a second schema) goes in any case: see {@link builtNow}.
 */
const schemasOnDemand: Plugin = {
  name: 'schemas-on-demand',
  setup({ onLoad }) {
    const declaration = /^((?:export )?const \w+(?:: [^=]+)? = )(\w+[.(\n][\s\S]*?);\n(?=\S|\n)/gm;
    onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes("from 'zod'")) return undefined;
      const contents = withoutCalls(source, '.meta').replace(
        declaration,
        '$1/* @__PURE__ */ (() => $2)();\n',
      );
      return { contents, loader: 'ts' };
    });
  },
};

/** The source without the calls of a method, whatever texts in their arguments hold. */
function withoutCalls(source: string, method: string): string {
  const token = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|[()]/gs;
  const [first = '', ...others] = source.split(new RegExp(`\\s*\\${method}(?=\\()`));
  return others.reduce((before, after) => {
    let depth = 0;
    for (const { 0: found, index } of after.matchAll(token)) {
      if (found === '(') depth += 1;
      else if (found === ')') depth -= 1;
      if (depth === 0) return before + after.slice(index + 1);
    }
    throw new Error(`a call of ${method} has no end: ${after.slice(0, 80)}`);
  }, first);
}

/** zod's schemas bring a writer of JSON Schema along, a fifth of zod. What needs it is built ahead ({@link builtNow}). */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  setup({ onResolve }) {
    onResolve({ filter: /\/(json-schema-processors|to-json-schema)\.js$/ }, ({ importer }) =>
      /zod.v4.classic.schemas\.js$/.test(importer) ? { path: join(shims, 'no-json-schema.ts') } : undefined,
    );
  },
};

/**
 * An SDK client registers a class for each error of its service, and states the HTTP bindings of each command under
 * computed keys, both of which keep esbuild from leaving out what nothing here uses: 140 of 170 kB of the clients of S3
 * and SSM. Errors that our sources do not name reach them as the service's own exception, under their names.
 */
const withoutUnusedCommands = (root: string): Plugin => ({
  name: 'without-unused-commands',
  setup({ onLoad, onStart }) {
    let words: ReadonlySet<string> = new Set();
    onStart(() => {
      const sources = ['lib', 'functions'].flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));
      words = new Set(sources.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\w+/g) ?? []));
    });
    onLoad({ filter: /@aws-sdk.client-[\w-]+.dist-es.schemas.schemas_0\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const texts = new Map(
        [...source.matchAll(/^const (_\w+) = (".*");$/gm)].map(([, name, text]) => [name, text]),
      );
      const contents = source
        .replace(/\[(_\w+)\]:/g, (key, name) => (texts.has(name) ? `${texts.get(name)}:` : key))
        .replace(/^n\d_registry\.registerError\(\w+\$, (\w+)\);$/gm, (call, name) =>
          words.has(name) ? call : '',
        );
      return { contents };
    });
    onLoad({ filter: /@aws-sdk.client-[\w-]+.package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
});

/** Puts a module before each entry that makes its handler. */
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
  plugins: [builtNow, schemasOnDemand, withoutJsonSchema, builtinsByGetter, withoutEventStreams, loadedLate],
} satisfies BuildOptions;

/** esbuild escapes what is not ASCII in texts, but leaves regular expressions as they are. */
function requireAscii(files: readonly OutputFile[]): void {
  for (const { path, contents } of files) {
    if (path.endsWith('.map') || isAscii(contents)) continue;
    const [, found] = /(.{0,40}[^\0-\x7F].{0,20})/.exec(Buffer.from(contents).toString('utf8')) ?? [];
    throw new Error(`write what is not ASCII in a regular expression as an escape (\\u…): ${found}`);
  }
}

type WrittenFile = Pick<OutputFile, 'path' | 'contents'>;

function writeOutput({ path, contents }: WrittenFile, bundles: string, sourceMaps: string): void {
  const target = path.endsWith('.map') ? join(sourceMaps, relative(bundles, path)) : path;
  if (existsSync(target) && readFileSync(target).equals(contents)) return;
  mkdirSync(dirname(target), { recursive: true });
  // By rename, so that a process that starts the function at this moment never reads half a bundle.
  const partial = join(dirname(dirname(target)), `.${basename(dirname(target))}.${process.pid}`);
  writeFileSync(partial, contents);
  renameSync(partial, target);
}

/** An asset is a whole folder: only what was just bundled may be in it, and no folder of a function that is gone. */
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
