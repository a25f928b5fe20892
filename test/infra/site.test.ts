import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSite, cacheControlOf, type Site } from '../../infra/site.ts';

const root = join(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'herald-site-'));
afterAll(() => rmSync(directory, { recursive: true }));

const page = (head: string) =>
  `<!doctype html>\n<html>\n  <head>\n    <title>T</title>\n${head}\n  </head>\n  <body></body>\n</html>\n`;

const sources: Readonly<Record<string, string>> = {
  'index.html': page(
    '    <link rel="icon" href="./icon.svg">\n    <script type="module" src="./main.tsx"></script>',
  ),
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'main.tsx':
    "import './base.css'; import { Shared } from './shared.tsx'; const later = () => import('./later.tsx'); document.title = String([Shared, later]);",
  'shared.tsx':
    "import styles from './shared.module.css'; export const Shared = <p className={styles.text} />;",
  'later.tsx':
    "import styles from './later.module.css'; import { Shared } from './shared.tsx'; export default <b className={styles.word}>{Shared}{process.env.NODE_ENV}</b>;",
  'base.css': 'body { color: red }',
  'shared.module.css': '.text { color: green }',
  'later.module.css': '.word { color: blue }',
};

function write(name: string, changes: Readonly<Record<string, string>> = {}): string {
  const folder = join(directory, name);
  for (const [file, content] of Object.entries({ ...sources, ...changes })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  if (!existsSync(join(directory, 'node_modules')))
    for (const name of ['react', 'scheduler'])
      cpSync(join(root, 'node_modules', name), join(directory, 'node_modules', name), { recursive: true });
  return folder;
}

const filesIn = (folder: string) =>
  globSync('**/*.*', { cwd: folder })
    .sort()
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);

describe('the site', () => {
  let site: Site;
  let html: string;
  let files: ReturnType<typeof filesIn>;
  beforeAll(async () => {
    site = await buildSite({ sources: write('one'), outputDirectory: join(directory, 'out') });
    html = readFileSync(join(site.directory, 'index.html'), 'utf8');
    files = filesIn(site.directory);
  });
  const named = (pattern: RegExp) => files.filter(([file]) => pattern.test(file)).map(([file]) => file);

  it('gives each file but the page a name with the hash of its content', () => {
    for (const [file] of files) {
      if (file !== 'index.html') expect(file).toMatch(/^assets\/[\w.-]+-[\w-]{8}\.\w+$/);
    }
    expect(named(/^assets\/(index|later|icon)-/)).toHaveLength(5);
  });

  it('refers to the built files in the page, with the styles and what the scripts import', () => {
    for (const name of ['index', 'react', 'icon'])
      expect(html).toMatch(new RegExp(`="/assets/${name}-[\\w-]{8}\\.`));
    expect(html).toMatch(/<link rel="stylesheet"[^>]* href="\/assets\/index-[\w-]+\.css">/);
    expect(html).not.toContain('./');
    const preloaded = [...html.matchAll(/modulepreload"[^>]* href="\/([^"]+)"/g)].map(([, file]) => file);
    expect(preloaded.length).toBeGreaterThan(0);
    for (const file of preloaded) expect(named(/./)).toContain(file);
    expect(preloaded.join()).not.toContain('later');
  });

  it('loads the styles of a page with the page, and those of the first one at once', () => {
    const styles = files
      .filter(([file]) => file.endsWith('.css'))
      .map(([file, content]) => [file, content] as const);
    expect(styles).toEqual([
      [expect.stringContaining('index-'), expect.stringMatching(/red.*green/s)],
      [expect.stringContaining('later-'), expect.stringMatching(/#00f/)],
    ]);
  });

  it('loads other pages later, for production, without source maps', () => {
    const [, later = ''] = files.find(([file]) => /later-.*js$/.test(file)) ?? [];
    expect(later).toMatch(/["`]production["`]/);
    for (const [file, content] of files) expect(`${file} ${content}`).not.toContain('sourceMappingURL');
    expect(named(/\.map$/)).toEqual([]);
  });

  it('is the same for the same sources, wherever they are', async () => {
    const again = await buildSite({ sources: write('two'), outputDirectory: join(directory, 'out-two') });
    expect(filesIn(again.directory)).toEqual(files);
  });

  it('is built again only if one of its sources has changed or a file is missing', async () => {
    const outputDirectory = join(directory, 'out-again');
    const changes = { 'later.tsx': 'export default <i>{process.env.NODE_ENV}</i>;' };
    const isBuilt = async (changed: Readonly<Record<string, string>> = {}) => {
      const before = statSync(`${outputDirectory}.json`, { throwIfNoEntry: false })?.ino;
      await buildSite({ sources: write('again', changed), outputDirectory });
      return statSync(`${outputDirectory}.json`).ino !== before;
    };
    expect(await isBuilt()).toBe(true);
    expect(await isBuilt()).toBe(false);
    expect(filesIn(outputDirectory)).toEqual(files);
    expect(await isBuilt(changes)).toBe(true);
    expect(await isBuilt(changes)).toBe(false);
    rmSync(join(outputDirectory, 'index.html'));
    expect(await isBuilt(changes)).toBe(true);
  });

  it('loses what is no longer part of it', async () => {
    const changed = { 'later.tsx': "export default 'other';" };
    await buildSite({ sources: write('three'), outputDirectory: join(directory, 'out-three') });
    await buildSite({ sources: write('three', changed), outputDirectory: join(directory, 'out-three') });
    const names = filesIn(join(directory, 'out-three')).map(([file]) => file);
    expect(names.filter((file) => /later-.*js$/.test(file))).toHaveLength(1);
    expect(names).not.toContain(named(/later-.*js$/)[0]);
  });

  it('has source maps if they are asked for', async () => {
    const outputDirectory = join(directory, 'out-maps');
    await buildSite({ sources: write('one'), outputDirectory, hasSourceMaps: true });
    expect(filesIn(outputDirectory).some(([, content]) => content.includes('sourceMappingURL=data:'))).toBe(
      true,
    );
  });

  it.each([
    ['a script', '<script>alert(1)</script>', '<script'],
    ['a style', '<style>a{}</style>', '<style'],
    ['an event handler', '<p onclick="x()">', '<p onclick='],
    ['a style attribute', '<p style="x">', '<p style='],
  ])('cannot have %s within its page', async (_what, head, found) => {
    const options = {
      sources: write('inline', { 'index.html': page(head) }),
      outputDirectory: join(directory, 'no'),
    };
    await expect(buildSite(options)).rejects.toThrow(`index.html contains ${found}…`);
  });

  it('names a file that its page refers to and that does not exist', async () => {
    const index = page('<script type="module" src="./none.tsx"></script>');
    const options = {
      sources: write('missing', { 'index.html': index }),
      outputDirectory: join(directory, 'no'),
    };
    await expect(buildSite(options)).rejects.toThrow('./none.tsx');
  });
});

describe('caches', () => {
  it('keep what has a hash for a year, and ask for the page each time', () => {
    expect(cacheControlOf('index.html')).toBe('no-cache');
    expect(cacheControlOf('assets/main-ABCDEFGH.js')).toBe('public, max-age=31536000, immutable');
  });
});

describe('the panel’s site', () => {
  it('sets no HTML by text, and gives browsers the words of React Aria in English only', async () => {
    // The folder of the deployed site, which is not built again if it is there already.
    const outputDirectory = join(root, '.build/site');
    await buildSite({ sources: join(root, 'lib/panel'), outputDirectory });
    for (const [file, content] of filesIn(outputDirectory))
      expect({ file, found: /\.innerHTML ?= ?(''|""|``)|Empfehlungen/.exec(content) }).toEqual({
        file,
        found: null,
      });
  });
});
