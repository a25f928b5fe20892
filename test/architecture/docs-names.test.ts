import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeSpansIn } from './markdown.ts';

const root = join(import.meta.dirname, '../..');
const exclude = (path: string) => /(^|\/)(node_modules|\.[a-z]+)$/.test(path);
const find = (pattern: string): string[] => globSync(pattern, { cwd: root, exclude }).sort();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const documents = [
  'README.md',
  ...find('docs/**/*.md'),
  ...find('{lib,functions,infra,bin,test}/**/README.md'),
];
/** Every file and folder of the project, in the form of both. */
const paths = find('**/*').flatMap((path) => [`/${path}`, `/${path}/`]);

interface Named {
  readonly document: string;
  readonly name: string;
}
const told = ({ document, name }: Named) => `${document}: ${name}`;

/** The names of code that the documents contain, each on one line. */
const spans: Named[] = documents.flatMap((document) =>
  codeSpansIn(read(document)).map((name) => ({ document, name })),
);

/** Returns true if the end of a path has the name. `<platform>` and `*` stand for any name. */
function exists(name: string): boolean {
  const pattern = name
    .replace(/^(\.\.\/)+/, '')
    .replaceAll(/[.+]/g, '\\$&')
    .replaceAll(/<[^>]*>|\*+/g, '[^/]+');
  const end = new RegExp(`/${pattern}$`);
  return paths.some((path) => end.test(path));
}

/** Files and folders that exist only while something runs, prefixes of keys in the bucket, and what is said not to exist. */
const notInProject = [
  'index.ts',
  '.local/dev.json',
  '.vscode/mcp.json',
  'herald.config.json',
  // What readers save.
  'verify.mjs',
  'body.json',
  'access.log',
  'logs/<function>.log',
  'cdk.out',
  '<file>.report.ndjson',
  'incoming/',
];

describe('the documents', () => {
  it.each([
    ['lib/posts/create.ts', true],
    ['create.ts', true],
    ['lib/platforms/<platform>/errors.ts', true],
    ['lib/posts/planning/', true],
    ['lib/posts/destroy.ts', false],
    ['eate.ts', false],
    ['lib/plans/', false],
  ])('%s: is a file or folder of the project: %s', (name, isThere) => {
    expect(exists(name)).toBe(isThere);
  });

  it('name only files that exist', () => {
    const files = spans.filter(({ name }) =>
      /^[\w<>.*-]+(\/[\w<>.*-]+)*\.(tsx?|mjs|md|json|ndjson|css|log|sqlite|out)$/.test(name),
    );
    expect(files.length).toBeGreaterThan(150);
    const missing = files.filter(({ name }) => !notInProject.includes(name) && !exists(name));
    expect(missing.map(told)).toEqual([]);
  });

  it('name only folders that exist', () => {
    const folders = spans.filter(({ name }) => /^[\w<>.-]+(\/[\w<>.-]+)*\/$/.test(name));
    expect(folders.length).toBeGreaterThan(40);
    const missing = folders.filter(({ name }) => !notInProject.includes(name) && !exists(name));
    expect(missing.map(told)).toEqual([]);
  });

  it('name only scripts that package.json has, in their blocks of code too', () => {
    const { scripts } = JSON.parse(read('package.json')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const named = documents.flatMap((document) =>
      [...read(document).matchAll(/\bnpm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name = '']) => ({
        document,
        name,
      })),
    );
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter(({ name }) => !Object.hasOwn(scripts, name)).map(told)).toEqual([]);
  });

  it('name only queues that are deployed', () => {
    const deployed = find('infra/*.ts').flatMap((path) =>
      [...read(path).matchAll(/new WorkQueue\(this, '(\w+)'/g)].map(([, id = '']) => normalized(id)),
    );
    expect(deployed).toContain('publish');
    const named = find('{README.md,docs/*.md,docs/platforms/*.md}').flatMap((document) =>
      [
        ...read(document)
          .replace(/\s+/g, ' ')
          .matchAll(/\bthe ([a-z-]+) queues?\b|\bqueue (?:redrive|peek) ([A-Z]\w+)/g),
      ]
        .map(([, words, argument]) => ({ document, name: words ?? argument ?? '' }))
        .filter(({ name }) => !notNames.includes(name)),
    );
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter(({ name }) => !deployed.includes(normalized(name))).map(told)).toEqual([]);
  });
});

/** Adjectives before "queue" that do not name one. */
const notNames = ['same', 'dead-letter', 'own', 'other', 'right'];

/** `MediaArrived`, `media arrived` and `media-arrived` are one queue. */
const normalized = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');
