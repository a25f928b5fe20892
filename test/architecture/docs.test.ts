import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsIn, blocksIn, codeSpansIn, linksIn } from './markdown.ts';

const root = join(import.meta.dirname, '../..');
const index = 'docs/README.md';
const decisions = 'docs/decisions';

/** The files of the project itself, without those of packages. */
const find = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: (path) => /(^|\/)node_modules$/.test(path) }).sort();
const read = (document: string): string => readFileSync(join(root, document), 'utf8');

const pages = find('docs/**/*.md');
const documents = [
  'README.md',
  ...pages,
  'lib/table/patterns.md',
  ...find('{lib,functions,infra,bin,test}/**/README.md'),
];

/** A link from a document to a file of the project. */
interface Link {
  readonly from: string;
  readonly text: string;
  /** Path from the project's root. */
  readonly to: string;
  /** The anchor, without `#`; empty if the link has none. */
  readonly anchor: string;
}

/** Links to other hosts are left out. */
function linksOf(document: string): Link[] {
  const local = linksIn(read(document)).filter((text) => !/^[a-z][a-z+.-]*:/i.test(text));
  return local.map((text) => {
    const [path = '', anchor = ''] = text.split('#');
    return { from: document, text, to: path === '' ? document : join(dirname(document), path), anchor };
  });
}

const links = documents.flatMap(linksOf);

const decisionPages = find(`${decisions}/[0-9]*.md`);
const numberOf = (page: string): number => Number(page.slice(decisions.length + 1).split('-')[0]);

/** The most words of a decision: about a page. */
const mostWords = 450;

/** Counts what has a letter or a digit, so neither the lines of tables nor arrows. */
const wordsIn = (text: string): number =>
  text.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;

/** Returns the numbers that the index says stay unused. */
function mergedNumbers(text: string): number[] {
  const [, listed = ''] = /^The numbers (.+) stay unused:/m.exec(text) ?? [];
  return (listed.match(/\d+/g) ?? []).map(Number);
}

/** The documents that a reader finds from the index with at most two clicks. */
function withinTwoClicks(): Set<string> {
  const linked = (from: Iterable<string>) => [...from].flatMap(linksOf).map(({ to }) => to);
  const first = linked([index]).filter((to) => documents.includes(to));
  return new Set([index, ...first, ...linked(first)]);
}

/** `<platform>` stands for any name, `*` and `**` for what they mean in a shell; what follows a space is not the path. */
function isPath(span: string): boolean {
  const [path = ''] = span.replace(/<[^>]*>/g, '*').split(' ');
  return path.includes('*') ? find(path).length > 0 : existsSync(join(root, path));
}

describe('the documents', () => {
  it('are all read', () => {
    expect(documents.length).toBeGreaterThan(25);
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ anchor }) => anchor !== '').length).toBeGreaterThan(3);
  });

  it('have a README of at most 150 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('have no "!" in commands that an interactive shell would replace from its history', () => {
    const replaced = documents.flatMap((document) =>
      blocksIn(read(document), 'sh').filter((block) => /!(?![=\s(])/.test(block)),
    );
    expect(replaced).toEqual([]);
  });

  it('have a README without comments after commands, which zsh takes for arguments', () => {
    const blocks = blocksIn(read('README.md'), 'sh');
    expect(blocks.length).toBeGreaterThan(2);
    expect(blocks.filter((block) => /\S +# /.test(block))).toEqual([]);
  });

  it('are two clicks from docs/README.md at most', () => {
    const near = withinTwoClicks();
    expect(documents.filter((document) => !near.has(document))).toEqual([]);
  });

  it('link only to files that exist', () => {
    const broken = links.filter(({ to }) => !existsSync(join(root, to)));
    expect(broken.map(({ from, text }) => `${from}: ${text}`)).toEqual([]);
  });

  it('link only to headings that exist', () => {
    const toHeadings = links.filter(({ to, anchor }) => anchor !== '' && existsSync(join(root, to)));
    const broken = toHeadings.filter(({ to, anchor }) => !anchorsIn(read(to)).has(anchor));
    expect(broken.map(({ from, text }) => `${from}: ${text}`)).toEqual([]);
  });

  it('name only paths of the project that exist', () => {
    const named = documents.flatMap((document) =>
      codeSpansIn(read(document))
        .filter((span) => /^(lib|functions|infra|bin|test|docs)\//.test(span))
        .map((span) => ({ document, span })),
    );
    expect(named.length).toBeGreaterThan(50);
    const missing = named.filter(({ span }) => !isPath(span));
    expect(missing.map(({ document, span }) => `${document}: ${span}`)).toEqual([]);
  });

  it('list every decision exactly once', () => {
    const listed = linksOf(`${decisions}/README.md`).map(({ to }) => to);
    expect(listed.sort()).toEqual(find(`${decisions}/[0-9]*.md`));
  });

  it('give each decision a number of its own, without a gap but for those that are merged', () => {
    const numbers = decisionPages.map(numberOf);
    const merged = [...mergedNumbers(read(`${decisions}/README.md`))];
    const all = [...numbers, ...merged].sort((one, other) => one - other);
    expect(merged.length).toBeGreaterThan(0);
    expect(all).toEqual(all.map((_, place) => place + 1));
  });
});

describe.each(decisionPages)('%s', (page) => {
  it('has the sections What, Why and Consequences', () => {
    const headings = [...read(page).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['What', 'Why', 'Consequences']);
  });

  it(`has at most ${mostWords} words`, () => {
    const words = wordsIn(read(page));
    const advice = 'keep what, why and consequences, and move mechanics into the comments of the code';
    expect(words, `${page} has ${words} words: ${advice}`).toBeLessThanOrEqual(mostWords);
  });
});

describe('a document', () => {
  const document = [
    '# Title of `it`',
    'See [one](a.md#part) and ![an image](b.png "named"), but not `[code](c.md)`.',
    '```sh',
    '# no heading, and [no link](d.md) with `lib/none.ts`',
    '```',
    '## Two: parts, [linked](e.md)',
    '## Two: parts, linked',
    '[reference]: f.md',
    'A ``path with ` in it`` and `lib/',
    'kernel`.',
  ].join('\n');

  it('has the links of its text, and none of its code', () => {
    expect(linksIn(document)).toEqual(['a.md#part', 'b.png', 'e.md', 'f.md']);
  });

  it('has the anchors that GitHub gives its headings', () => {
    expect([...anchorsIn(document)]).toEqual(['title-of-it', 'two-parts-linked', 'two-parts-linked-1']);
  });

  it('has its code spans, across lines too', () => {
    expect(codeSpansIn(document)).toEqual(['it', '[code](c.md)', 'path with ` in it', 'lib/ kernel']);
  });
});
