/** Builds the panel's site from `lib/panel`: the files that browsers load, as they are deployed. */
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { InlineConfig, Plugin, Rolldown } from 'vite';
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
}

/** The only file whose name does not change with its content. */
export const pageName = 'index.html';

/**
 * Returns the `Cache-Control` of a file. A name with a hash never gets other content, so browsers keep it. The page is requested
 * each time.
 */
export const cacheControlOf = (file: string): string =>
  file === pageName ? 'no-cache' : 'public, max-age=31536000, immutable';

/**
 * Builds the site with Vite. Each file but the page has a hash in its name.
 *
 * The same sources give the same bytes. If no source has changed and all files are there, nothing is built.
 *
 * @throws Error if the page refers to a file that does not exist, if it has an inline script or style, which the site's
 *   Content-Security-Policy forbids, or if Vite fails
 */
export async function buildSite({
  sources,
  outputDirectory,
  hasSourceMaps = false,
  plugins = [],
}: SiteOptions): Promise<Site> {
  const record = `${outputDirectory}.json`;
  const tools = digestOfTools(hasSourceMaps);
  const digest = digestsIn(sources);
  const known = plugins.length > 0 ? undefined : findUnchanged(record, tools, digest);
  if (known !== undefined) {
    removeOthers(outputDirectory, new Set(known.outputs));
    return { directory: outputDirectory };
  }
  refuseInlineCode(readFileSync(join(sources, pageName), 'utf8'));
  const { files, inputs } = await bundle(sources, hasSourceMaps, plugins);
  for (const [file, content] of files) writeFile(outputDirectory, file, content);
  const written = [...files.keys()].map((file) => join(outputDirectory, file));
  removeOthers(outputDirectory, new Set(written));
  if (plugins.length === 0) recordBuild(record, { inputs, outputs: written }, tools, digest);
  return { directory: outputDirectory };
}

/** Returns a digest of the programs and settings that decide how a source is built. Packages are as `package-lock.json` says. */
function digestOfTools(hasSourceMaps: boolean): string {
  const digest = digestsIn(join(import.meta.dirname, '..'));
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'lib/panel/tsconfig.json'];
  return digestOf([hasSourceMaps, ...['infra/site.ts', ...settings].map(digest)].join());
}

/** @throws Error if the page has an inline script or style */
function refuseInlineCode(page: string): void {
  const inline = /<style\b|<script\b(?![^>]*\ssrc=)|<[^>]+\s(?:style|on\w+)=/i.exec(page);
  if (inline)
    throw new Error(
      `${pageName} contains ${inline[0]}…: put it into a file, since the site's policy forbids it`,
    );
}

interface Bundle {
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** Paths of the sources that were read, relative to the folder of `index.html`. */
  readonly inputs: readonly string[];
}

async function bundle(sources: string, hasSourceMaps: boolean, plugins: readonly Plugin[]): Promise<Bundle> {
  // Most starts find the site built, and Vite takes a while to load.
  const [{ build }, { default: react }, { default: optimizeLocales }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
    import('@react-aria/optimize-locales-plugin'),
  ]);
  const inputs = new Set([pageName]);
  const config: InlineConfig = {
    ...options,
    root: sources,
    plugins: [
      react({ compiler: true }),
      optimizeLocales.vite({ locales: ['en-US'] }),
      withoutHtmlSinks,
      collectSources(sources, inputs),
      ...plugins,
    ],
    build: { ...options.build, sourcemap: hasSourceMaps && 'inline' },
  };
  const { output } = (await inProduction(() => build(config))) as Rolldown.RolldownOutput;
  const files = output.map(
    (each) => [each.fileName, each.type === 'chunk' ? each.code : each.source] as const,
  );
  return { files: new Map(files), inputs: [...inputs] };
}

/** Runs a build with `NODE_ENV=production`, which decides what React and Vite build. Test runners set another. */
async function inProduction<Result>(build: () => Promise<Result>): Promise<Result> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    return await build();
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
}

/** Adds the files that a build reads, without those of packages, to `inputs`. */
const collectSources = (sources: string, inputs: Set<string>): Plugin => ({
  name: 'collect-sources',
  generateBundle() {
    for (const id of this.getModuleIds()) {
      const [file = ''] = id.split('?');
      if (!id.startsWith('\0') && !file.includes('/node_modules/') && existsSync(file))
        inputs.add(relative(sources, file));
    }
  },
});

/**
 * Makes packages empty elements without `innerHTML`, which Trusted Types deny to every script, even for an empty text. So the
 * site's policy can forbid it completely (`trusted-types 'none'`).
 */
const withoutHtmlSinks: Plugin = {
  name: 'without-html-sinks',
  transform: {
    filter: { id: /react-aria.dist.private.live-announcer.LiveAnnouncer\.m?js$/ },
    handler: (code) => code.replaceAll(".innerHTML = ''", ".textContent = ''"),
  },
};

/** React Aria's parts for lists and for what opens over the page, and our own over them. */
const lists =
  /private.(?:collections.(?!Hidden)|combobox.|list.|listbox.|overlays.(?!ariaHideOutside)|select.|selection.)|(?:ComboBox|Dialog|ListBox|Popover|Select)\.mjs|components.(?:combo-box|option|select)\.tsx/;
/** The same for fields of forms. */
const forms =
  /private.(?:checkbox|radio|searchfield).|(?:Checkbox|CheckboxGroup|RadioGroup|SearchField|TextArea)\.mjs|panel.unfinished.(?!use-form-draft)|components.(?:checkbox|form|radio-group|search-field|section|text-area|text-field)\.tsx/;
/** The same for fields of dates and times. */
const dates =
  /private.(?:datepicker|spinbutton|intl.(?:datepicker|spinbutton)).|(?:DateField|HiddenDateInput|useDateFormatter)\.mjs|internationalized.(?:date|number)|components.(?:date-field|day-field|time-field|whole-value)\.tsx?/;
/** Modules that neither the calendar nor the composer needs at first, and most other pages do. */
const others =
  /private.switch.|Switch\.mjs|components.(?:confirm-dialog|copy-field|load-more|switch)\.tsx|lib.panel.(?:use-filters|curl|zones|unfinished.use-form-draft)\.ts/;

/**
 * The scripts that several pages share, so that a page needs a dozen files instead of dozens. The first group that matches takes a
 * module with what it imports; what no group takes is in the script of its page, or in one that exactly the same pages share. A group
 * is for pages that need most of it: `test/panel/first-load.test.ts` bounds the result.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  { name: 'react', test: /node_modules.(?:react|react-dom|scheduler)\//, tags: ['$initial'] },
  { name: 'first', tags: ['$initial'] },
  {
    name: 'table',
    test: /components.(?:table|row-window)\.|tanstack.(?:react-virtual|virtual-core)/,
  },
  // The parts of fields: forms need them without lists, and lists without forms.
  { name: 'common', test: /components.field\./ },
  {
    name: 'controls',
    test: new RegExp(
      `^(?!.*(?:${lists.source}|${forms.source}|${dates.source}|${others.source})).*(?:react-aria|react-stately|@internationalized)`,
    ),
    minShareCount: 9,
  },
  { name: 'lists', test: lists, minShareCount: 2 },
  {
    name: 'components',
    test: new RegExp(
      `^(?!.*(?:${forms.source}|${others.source})).*lib.panel.(?!pages|shell.greeting|accounts.(?:attempt|connect)|media|posts.(?:approval|bulk|confirm-dialogs|duplicate|files|moves?\\.|post-parts|reason|remedy|retry|state|tag-chips|tags.module|thumbnail|use-bulk)|previews|words.english|clicks|components.(?:bar-chart|axis|confirm-row|curl-dialog|filter-bar|date-field|date-time-field|day-field|page-tabs|segmented|tabs|time-field|whole-value))`,
    ),
    minShareCount: 3,
  },
  { name: 'forms', test: forms, minShareCount: 2 },
  { name: 'others', test: others, minShareCount: 2 },
  // Automations need no more of the composer.
  { name: 'limits', test: /lib.platforms.(?:instagram.limits|shared.text)/ },
  { name: 'composer', test: /pages.compose|lib.(?:panel.media(?!.tiles)|media|platforms)/, minShareCount: 3 },
  // What a month, the hours of a week, and the agenda share.
  {
    name: 'calendar',
    test: /pages.calendar.(?:cards|context|days|entries|focus|grid|grid-parts|moving)\.|panel.posts.moves?\.|private.dnd./,
    minShareCount: 2,
  },
  {
    name: 'posts',
    test: /panel.posts.(?:approval|duplicate|own-times|post-parts|remedy|state|thumbnail)\.|english.moving/,
  },
  { name: 'dates', test: dates, minShareCount: 2 },
  { name: 'chart', test: /lib.panel.(?:clicks|components.(?:bar-chart|axis))/ },
];

const options = {
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'silent',
  css: { transformer: 'lightningcss' },
  build: {
    write: false,
    // The browsers that the panel needs: the Baseline of 2024.
    target: ['chrome125', 'edge125', 'firefox127', 'safari17.4'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
} satisfies InlineConfig;

function writeFile(outputDirectory: string, file: string, content: string | Uint8Array): void {
  const target = join(outputDirectory, file);
  if (existsSync(target) && readFileSync(target).equals(Buffer.from(content))) return;
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
