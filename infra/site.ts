/** Builds the panel's site from `lib/panel`: the files that browsers load, as they are deployed. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, parse } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { digestOf, digestsIn, findUnchanged, recordBuild } from './build-records.ts';

export interface SiteOptions {
  /** The folder with `index.html`, absolute. */
  readonly sources: string;
  /**
   * The output folder, absolute. It receives the site and nothing else. The file `<outputDirectory>.json` says what the site was
   * built from.
   */
  readonly outputDirectory: string;
  /** True to append source maps to the scripts, for development. They are never deployed. */
  readonly hasSourceMaps?: boolean;
  /** Plugins that change the build, such as its catalogue of words. With plugins, the site is built each time. */
  readonly plugins?: readonly Plugin[];
}

export interface Site {
  /** The folder with all files. */
  readonly directory: string;
  /** The files that a browser loads before it shows the first page: `index.html`, its scripts with what they import, its styles. */
  readonly firstLoad: readonly string[];
}

/** The only file whose name does not change with its content. */
export const pageName = 'index.html';

/**
 * Returns the `Cache-Control` of a file. A name with a hash never gets other content, so browsers keep it. The page is requested
 * each time.
 */
export const cacheControlOf = (file: string): string =>
  file === pageName ? 'no-cache' : 'public, max-age=31536000, immutable';

const assets = 'assets';

/**
 * Builds the site. `index.html` refers to its sources by relative paths, such as `./main.tsx` and `./icon.svg`: each becomes a
 * file with a hash in its name, and the page loads the stylesheet of its scripts and preloads what they import. That stylesheet
 * also contains the styles of pages that are loaded later: esbuild does not load styles with `import()`.
 *
 * The same sources give the same bytes. If no source has changed and all files are there, nothing is built.
 *
 * @throws Error if the page refers to a file that does not exist, if it has an inline script or style, which the site's
 *   Content-Security-Policy forbids, or if esbuild fails
 */
export async function buildSite({
  sources,
  outputDirectory,
  hasSourceMaps,
  plugins = [],
}: SiteOptions): Promise<Site> {
  const template = readFileSync(join(sources, pageName), 'utf8');
  const references = referencesIn(template);
  const missing = references.filter((file) => !existsSync(join(sources, file)));
  if (missing.length > 0)
    throw new Error(`${join(sources, pageName)} refers to files that do not exist: ${missing.join(', ')}`);
  const record = `${outputDirectory}.json`;
  const tools = digestOfTools(hasSourceMaps);
  const digest = digestsIn(sources);
  const known = plugins.length > 0 ? undefined : findUnchanged(record, tools, digest);
  if (known !== undefined) {
    removeOthers(outputDirectory, new Set(known.outputs));
    return siteIn(outputDirectory);
  }
  const entries = references.filter((file) => /\.(tsx?|css)$/.test(file));
  const { metafile, outputFiles } = await build({
    ...options,
    absWorkingDir: sources,
    outdir: outputDirectory,
    entryPoints: entries,
    plugins: [...options.plugins, ...plugins],
    ...(hasSourceMaps && { sourcemap: 'inline' }),
  });
  // esbuild names outputs relative to its working directory.
  const contents = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const outputs = outputsByName(metafile);
  const files = new Map<string, Uint8Array>();
  for (const [name, { entryPoint }] of outputs) {
    if (isNeeded(name, entryPoint, entries, outputs))
      files.set(`${assets}/${name}`, contents.get(name) as Uint8Array);
  }
  const copied = references
    .filter((file) => !entries.includes(file))
    .map((file) => [file, readFileSync(join(sources, file))] as const);
  for (const [file, content] of copied) files.set(hashedName(file, content), content);

  const built = entries.map((entry) => builtFrom(entry, outputs));
  const addresses = new Map([
    ...built.map(({ entry, name }) => [entry, `/${assets}/${name}`] as const),
    ...copied.map(([file, content]) => [file, `/${hashedName(file, content)}`] as const),
  ]);
  const styles = built.flatMap(({ styles: own }) => own);
  const preloaded = [...new Set(built.flatMap(({ imports }) => imports))];
  const page = fillIn(template, addresses, { styles, preloaded });
  files.set(pageName, Buffer.from(page));
  for (const [file, content] of files) writeFile(outputDirectory, file, content);
  const written = [...files.keys()].map((file) => join(outputDirectory, file));
  removeOthers(outputDirectory, new Set(written));
  const sourceFiles = Object.keys(metafile.inputs).filter((path) => !/node_modules\/|^\(/.test(path));
  const inputs = [...new Set([pageName, ...references, ...sourceFiles])];
  if (plugins.length === 0) recordBuild(record, { inputs, outputs: written }, tools, digest);
  return siteIn(outputDirectory);
}

/** Returns a digest of the programs and settings that decide how a source is built. Packages are as `package-lock.json` says. */
function digestOfTools(hasSourceMaps = false): string {
  const digest = digestsIn(join(import.meta.dirname, '..'));
  const plugins = ['infra/site.ts'];
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'lib/panel/tsconfig.json'];
  return digestOf([hasSourceMaps, ...[...plugins, ...settings].map(digest)].join());
}

/** Reads a built site. Its page names the scripts and styles that a browser loads at once. */
function siteIn(directory: string): Site {
  const page = readFileSync(join(directory, pageName), 'utf8');
  const loaded = [...page.matchAll(/<(?:script|link)\b[^>]*\s(?:src|href)="\/([^"]+\.(?:js|css))"/g)];
  return { directory, firstLoad: [pageName, ...new Set(loaded.map(([, file = '']) => file))] };
}

/** Returns the number of bytes that a browser receives for the first page, by file, with Brotli as CloudFront compresses it. */
export function firstLoadBytes({ directory, firstLoad }: Site): Readonly<Record<string, number>> {
  return Object.fromEntries(
    firstLoad.map((file) => [file, brotliCompressSync(readFileSync(join(directory, file))).length]),
  );
}

/**
 * Makes packages empty elements without `innerHTML`, which Trusted Types deny to every script, even for an empty text. So the
 * site's policy can forbid it completely (`trusted-types 'none'`).
 */
const withoutHtmlSinks: Plugin = {
  name: 'without-html-sinks',
  setup({ onLoad }) {
    onLoad({ filter: /react-aria.dist.private.live-announcer.LiveAnnouncer\.m?js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(".innerHTML = ''", ".textContent = ''"),
    }));
  },
};

const options = {
  write: false,
  metafile: true,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  // The browsers that the panel needs: the Baseline of 2024.
  target: ['chrome125', 'edge125', 'firefox127', 'safari17.4'],
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  minify: true,
  charset: 'utf8',
  legalComments: 'eof',
  logLevel: 'silent',
  publicPath: '/',
  entryNames: `${assets}/[name]-[hash]`,
  chunkNames: `${assets}/[name]-[hash]`,
  assetNames: `${assets}/[name]-[hash]`,
  loader: { '.svg': 'file', '.png': 'file', '.woff2': 'file' },
  plugins: [withoutHtmlSinks],
} satisfies BuildOptions;

type Outputs = ReadonlyMap<string, Metafile['outputs'][string]>;

const outputsByName = ({ outputs }: Metafile): Outputs =>
  new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));

/** Attributes of `script` and `link` that name a file of the sources. */
const reference = /(<(?:script|link)\b[^>]*\s(?:src|href)=")(?:\.\/)([^"]+)(")/g;

function referencesIn(template: string): string[] {
  return [...new Set([...template.matchAll(reference)].map(([, , file = '']) => file))];
}

/**
 * Returns true if a file is needed. esbuild also writes a stylesheet for each page that is loaded later, although the first
 * stylesheet has its rules too.
 */
function isNeeded(
  name: string,
  entryPoint: string | undefined,
  entries: readonly string[],
  outputs: Outputs,
): boolean {
  if (extname(name) !== '.css') return true;
  const isOfEntry = entries.some((entry) => builtFrom(entry, outputs).styles.includes(name));
  return isOfEntry || (entryPoint !== undefined && entries.includes(entryPoint));
}

interface Built {
  readonly entry: string;
  readonly name: string;
  readonly styles: readonly string[];
  /** The script's imports, direct and indirect, without modules that are loaded later. */
  readonly imports: readonly string[];
}

function builtFrom(entry: string, outputs: Outputs): Built {
  const isStyle = extname(entry) === '.css';
  const [name = '', output] =
    [...outputs].find(
      ([file, { entryPoint }]) => entryPoint === entry && (extname(file) === '.css') === isStyle,
    ) ?? [];
  const imports = new Set<string>();
  const visit = (file: string) => {
    for (const { path, kind } of outputs.get(file)?.imports ?? []) {
      const imported = basename(path);
      if (kind !== 'import-statement' || imports.has(imported) || !outputs.has(imported)) continue;
      imports.add(imported);
      visit(imported);
    }
  };
  visit(name);
  const styles = output?.cssBundle === undefined ? [] : [basename(output.cssBundle)];
  return { entry, name, styles, imports: isStyle ? [] : [...imports] };
}

/**
 * Replaces the names of sources in the page with those of the built files.
 *
 * @throws Error if the page has an inline script or style
 */
function fillIn(
  template: string,
  addresses: ReadonlyMap<string, string>,
  { styles, preloaded }: { readonly styles: readonly string[]; readonly preloaded: readonly string[] },
): string {
  const inline = /<style\b|<script\b(?![^>]*\ssrc=)|<[^>]+\s(?:style|on\w+)=/i.exec(template);
  if (inline)
    throw new Error(
      `${pageName} contains ${inline[0]}…: put it into a file, since the site's policy forbids it`,
    );
  const links = [
    ...styles.map((name) => `<link rel="stylesheet" href="/${assets}/${name}">`),
    ...preloaded.map((name) => `<link rel="modulepreload" href="/${assets}/${name}">`),
  ];
  return template
    .replace(
      reference,
      (_, before: string, file: string, after: string) => `${before}${addresses.get(file)}${after}`,
    )
    .replace(/^([ \t]*)<\/head>/m, (end, indent: string) =>
      [...links.map((link) => `${indent}  ${link}\n`), end].join(''),
    );
}

function hashedName(file: string, content: Uint8Array): string {
  const { name, ext } = parse(file);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
  return `${assets}/${name}-${hash}${ext}`;
}

function writeFile(outputDirectory: string, file: string, content: Uint8Array): void {
  const target = join(outputDirectory, file);
  if (existsSync(target) && readFileSync(target).equals(content)) return;
  mkdirSync(dirname(target), { recursive: true });
  // Renaming is atomic: nobody reads a partial file. The file is outside the folder, where another process would remove it.
  const partial = `${outputDirectory}.${process.pid}.partial`;
  writeFileSync(partial, content);
  renameSync(partial, target);
}

function removeOthers(directory: string, files: ReadonlySet<string>): void {
  for (const file of globSync('**/*', { cwd: directory, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !files.has(path)) rmSync(path);
  }
}
