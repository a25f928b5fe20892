/** Our changes to esbuild's bundles, which make functions start fast; see docs/decisions/0003-cold-start.md. */
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** Packages that few requests need. They stay outside the bundle so that cold starts do not parse them. */
export const lazyPackages: readonly string[] = ['temporal-polyfill'];

export const lazyFile = (packageName: string) => `./${packageName}.mjs`;

/** Modules that replace a package's own. */
export const shims = join(import.meta.dirname, 'lambda-shims');

/** Makes `import()` of a lazy package load the copy in the bundle's folder at run time. */
export const loadLazyPackages: Plugin = {
  name: 'load-lazy-packages',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${lazyPackages.join('|')})$`) }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: lazyFile(path), external: true } : undefined,
    );
  },
};

/**
 * Loads Node's built-in modules with `process.getBuiltinModule` instead of `import`, and reads only the exports that a
 * function uses. An `import` of `node:http` reads all of its exports, and the getter of one of them loads a whole HTTP
 * client, which costs 25 ms. Because every built-in module is loaded this way, `require` in CommonJS dependencies needs
 * no shim either.
 */
export const builtinsByGetter: Plugin = {
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
 * Leaves out the SDK's event streams if they are loaded with `import()`: they serve bidirectional calls, which this
 * service never makes. To load them lazily, esbuild would wrap the 150 modules that they share with the rest of the
 * bundle, which costs 5 ms at every cold start. Clients that import them statically, such as S3's, keep them.
 */
export const withoutEventStreams: Plugin = {
  name: 'without-event-streams',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, namespace: 'left-out' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error('infra/bundle-plugins.ts leaves ${path} out of the bundles');`,
    }));
  },
};

/**
 * Replaces a module `<name>.built.ts` with its exported value, computed at build time, so that the function does not load the
 * modules that compute it. The value must be JSON.
 */
export const builtModules: Plugin = {
  name: 'built-modules',
  setup({ onLoad }) {
    onLoad({ filter: /\.built\.ts$/, namespace: 'file' }, async ({ path }) => {
      const { default: value } = (await import(pathToFileURL(path).href)) as { default: unknown };
      return { contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(value))});` };
    });
  },
};

/**
 * Lets esbuild remove zod schemas that a function does not use. Most declarations end in a method call, which esbuild must
 * assume to have effects, so without a mark it would keep every schema of a module if a function uses one of them. Calls
 * of `.meta`, each of which creates a second schema, are removed in any case: only the OpenAPI document needs them, which
 * is computed at build time (see {@link builtModules}). Reads our own sources, as the formatter leaves them.
 */
export const removableSchemas: Plugin = {
  name: 'removable-schemas',
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

/** Removes all calls of a method from a source, also nested ones. */
function withoutCalls(source: string, method: string): string {
  const beginning = new RegExp(`\\s*\\${method}(?=\\()`, 'g');
  let kept = '';
  let index = 0;
  for (;;) {
    beginning.lastIndex = index;
    const found = beginning.exec(source);
    if (!found) return kept + source.slice(index);
    kept += source.slice(index, found.index);
    index = endOfCall(source, beginning.lastIndex);
  }
}

/**
 * Comments, texts, and the characters that open or close code and templates. A template may contain code, which may contain
 * templates.
 */
const inCode = /\/\/[^\n]*|\/\*.*?\*\/|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[`(){}]/gs;
const inTemplate = /\\.|\$\{|`/gs;

/** Returns the index after a call's last parenthesis. Parentheses in texts, templates and comments do not count. */
function endOfCall(source: string, begin: number): number {
  const open: string[] = [];
  for (let index = begin; ; ) {
    const token = open.at(-1) === '`' ? inTemplate : inCode;
    token.lastIndex = index;
    const [found] = token.exec(source) ?? [];
    if (found === undefined) throw new Error(`a call has no end: ${source.slice(begin, begin + 80)}`);
    index = token.lastIndex;
    if (found === ')' || found === '}' || (found === '`' && open.at(-1) === '`')) open.pop();
    else if (found === '(' || found === '{' || found === '${' || found === '`') open.push(found);
    if (open.length === 0) return index;
  }
}

/** Leaves out zod's JSON Schema writer, a fifth of zod. Only the OpenAPI document needs it (see {@link builtModules}). */
export const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  setup({ onResolve }) {
    onResolve({ filter: /\/(json-schema-processors|to-json-schema)\.js$/ }, ({ importer }) =>
      /zod.v4.classic.schemas\.js$/.test(importer) ? { path: join(shims, 'no-json-schema.ts') } : undefined,
    );
  },
};

/**
 * Lets esbuild remove the commands and error classes of an SDK client that no function uses: 140 of 170 kB of the clients
 * of S3 and SSM. The SDK registers a class for each error of a service, and writes each command's HTTP bindings under
 * computed keys; both keep esbuild from removing them. This keeps only the error classes that our sources name. Any other
 * error arrives as the service's base exception, with its own name.
 */
export const withoutUnusedCommands = (root: string): Plugin => {
  // Several builds share the plugin: reading all sources takes as long as some of them.
  const words = new Set(wordsOfSources(root));
  return {
    name: 'without-unused-commands',
    setup({ onLoad }) {
      onLoad({ filter: clientSchemas }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        const texts = new Map(
          [...source.matchAll(/^const (_\w+) = (".*");$/gm)].map(([, name, text]) => [name, text]),
        );
        const contents = source
          .replace(/\[(_\w+)\]:/g, (key, name) => (texts.has(name) ? `${texts.get(name)}:` : key))
          .replace(registeredError, (call, name) => (words.has(name) ? call : ''));
        return { contents };
      });
      onLoad({ filter: /@aws-sdk.client-[\w-]+.package\.json$/ }, ({ path }) => {
        const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
        return { contents: JSON.stringify({ version }), loader: 'json' };
      });
    },
  };
};

const clientSchemas = /@aws-sdk.client-[\w-]+.dist-es.schemas.schemas_0\.js$/;
const registeredError = /^n\d_registry\.registerError\(\w+\$, (\w+)\);$/gm;

/** Returns a function that lists the error classes that {@link withoutUnusedCommands} keeps in a module of a package. */
export function keptErrorsIn(root: string): (path: string) => readonly string[] {
  let words: ReadonlySet<string> | undefined;
  return (path) => {
    if (!clientSchemas.test(path)) return [];
    words ??= new Set(wordsOfSources(root));
    const registered = readFileSync(join(root, path), 'utf8').matchAll(registeredError);
    return [...registered].flatMap(([, name = '']) => (words?.has(name) ? name : []));
  };
}

function wordsOfSources(root: string): string[] {
  const sources = ['lib', 'functions'].flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));
  return sources.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\w+/g) ?? []);
}

/** Wraps each entry in a module that makes the handler from the entry's `build`. */
export const startEntries = (startModule: string, root: string): Plugin => ({
  name: 'start-entries',
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
