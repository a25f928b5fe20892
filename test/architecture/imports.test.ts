import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesIn, importsOf, readImports } from './import-graph.ts';
import { innerLayers, layers, parts } from './layers.ts';
import { readPackages } from './packages.ts';
import { brokenByPath, brokenRules } from './rules.ts';

const root = join(import.meta.dirname, '../..');
const packages = Object.fromEntries(readPackages(root).map(({ name, folder }) => [name, folder]));

describe('the code', () => {
  const imports = readImports(root, ['lib', 'functions', 'infra', 'bin']);

  it('is read completely', () => {
    expect(imports.length).toBeGreaterThan(2_000);
    expect(new Set(imports.map(({ from }) => from.split('/')[0]))).toEqual(
      new Set(Object.keys(parts).map((part) => part.split('/')[0])),
    );
  });

  it('follows its layers, without cycles of folders or files', () => {
    expect(brokenRules(imports, packages)).toEqual([]);
  });

  it('of tests imports packages by their names', () => {
    expect(brokenByPath(readImports(root, ['test']), packages)).toEqual([]);
  });

  it('has a layer for every folder of lib', () => {
    const named = new Set(layers.flatMap(({ folders }) => folders.map((folder) => folder.split('/')[0])));
    expect(readdirSync(join(root, 'lib')).filter((entry) => !named.has(entry))).toEqual([]);
  });

  it.each(Object.entries(innerLayers))('has a layer for every subfolder of lib/%s', (folder, inner) => {
    const entries = readdirSync(join(root, 'lib', folder), { withFileTypes: true });
    const present = new Set(entries.map((entry) => (entry.isDirectory() ? entry.name : '.')));
    expect(new Set(inner.flatMap(({ folders }) => folders))).toEqual(present);
  });

  it('has only packages in infra/local: three that bin/dev combines, and what all may use', () => {
    expect(readdirSync(join(root, 'infra/local')).sort()).toEqual([
      'cloud',
      'issuer',
      'loopback',
      'platforms',
    ]);
  });

  it('has the library that signs people in only in the functions that do so', () => {
    const importersOf = (path: string) =>
      imports
        .filter(({ from, to, isType }) => to === path && !isType && !/^infra\/local\/\w+\/test\//.test(from))
        .map(({ from }) => from);
    const wire = 'functions/wire/issuer.ts';
    const route = 'functions/middleware/sign-in-route.ts';
    expect(importersOf('openid-client')).toEqual([wire]);
    expect(importersOf(wire).sort()).toEqual([
      route,
      'functions/panel/check-session.ts',
      'functions/panel/sign-out.ts',
    ]);
    expect(importersOf(route).sort()).toEqual([
      'functions/panel/begin-sign-in.ts',
      'functions/panel/finish-sign-in.ts',
    ]);
  });

  it('has no barrel files', () => {
    expect(imports.filter(({ to }) => /^lib\/.*index\.ts$/.test(to))).toEqual([]);
  });
});

describe('a rule is broken', () => {
  const names = { '@herald/local-cloud': 'infra/local/cloud', '@herald/simulators': 'infra/local/platforms' };
  const value = (from: string, to: string) => ({ from, to, isType: false });
  it.each([
    [
      'by lib importing functions',
      value('lib/kernel/a.ts', 'functions/wire/b.ts'),
      'lib may import only itself',
    ],
    ['by functions importing infra', value('functions/a.ts', 'infra/b.ts'), 'functions may import lib'],
    ['by anything importing tests', value('lib/kernel/a.ts', 'test/b.ts'), 'lib may import only itself'],
    [
      'by a local package importing the other',
      value('infra/local/cloud/a.ts', '@herald/simulators/b.ts'),
      'infra/local/cloud may import infra/local/loopback',
    ],
    [
      'by a test of a local package importing the service',
      value('infra/local/cloud/test/a.test.ts', 'lib/kernel/b.ts'),
      'infra/local/cloud may import infra/local/loopback',
    ],
    [
      'by lib importing a local package',
      value('lib/kernel/a.ts', '@herald/local-cloud/b.ts'),
      'lib may import only itself',
    ],
    [
      'by a file of a package imported by its path',
      value('bin/dev/a.ts', 'infra/local/cloud/b.ts'),
      'by its name, @herald/local-cloud/b.ts',
    ],
    [
      'by a package importing its own file by its name',
      value('infra/local/cloud/a.ts', '@herald/local-cloud/b.ts'),
      'by their relative path',
    ],
    [
      'by a lower folder importing a higher one',
      value('lib/media/a.ts', 'lib/posts/b.ts'),
      'posts is not below media',
    ],
    [
      'by a lower folder importing a type from a higher one',
      { ...value('lib/media/a.ts', 'lib/posts/b.ts'), isType: true },
      'posts is not below media',
    ],
    [
      'by one platform importing another',
      value('lib/platforms/threads/a.ts', 'lib/platforms/instagram/b.ts'),
      'Take what you need as an argument',
    ],
    [
      'by what is stored importing from requests',
      value('lib/posts/stored/a.ts', 'lib/posts/request/b.ts'),
      'request is not below stored. Move the shared part into a lower folder of lib/posts',
    ],
    [
      'by what is stored importing a type from a verb',
      { ...value('lib/posts/stored/a.ts', 'lib/posts/b.ts'), isType: true },
      'the files of lib/posts itself are not below stored',
    ],
    [
      'by folders of one layer importing each other',
      value('lib/posts/planning/a.ts', 'lib/posts/list/b.ts'),
      'list is not below planning',
    ],
    [
      'by a subfolder that is in no layer',
      value('lib/posts/new/a.ts', 'lib/posts/b.ts'),
      'lib/posts/new is in no layer: add it to innerLayers',
    ],
    ['by a folder that is in no layer', value('lib/new/a.ts', 'lib/kernel/b.ts'), 'in no layer'],
    [
      'by a store importing AWS’s SDK',
      value('lib/posts/stored/store.ts', '@aws-sdk/lib-dynamodb'),
      'use the helpers of lib/table',
    ],
    [
      'by a handler opening clients',
      value('functions/api/a.ts', 'lib/aws/queue.ts'),
      'take the dependency from a wire of functions/wire',
    ],
    [
      'by the panel importing a value from the rest of lib',
      value('lib/panel/api/a.ts', 'lib/kernel/b.ts'),
      'import only its types',
    ],
    ['by the panel importing from Node.js', value('lib/panel/a.ts', 'node:fs'), 'browsers do not have it'],
    [
      'by the panel importing all components of a package',
      value('lib/panel/a.tsx', 'react-aria-components'),
      'react-aria-components/Button',
    ],
    [
      'by a module that browsers share importing another one',
      value('lib/automations/matching/a.ts', 'lib/kernel/errors.ts'),
      'in the browser',
    ],
    [
      'by the client importing from the rest of lib',
      value('lib/client/a.ts', 'lib/kernel/b.ts'),
      'published',
    ],
    ['by the client importing a package', value('lib/client/a.ts', 'zod'), 'published without anything else'],
    ['by the client importing from Node.js', value('lib/client/a.ts', 'node:crypto'), 'more than Node.js'],
    [
      'by the client importing a type from elsewhere',
      { ...value('lib/client/a.ts', 'lib/posts/b.ts'), isType: true },
      'published',
    ],
    ['by lib importing the client', value('lib/webhooks/a.ts', 'lib/client/webhooks.ts'), 'users of the API'],
    ['by functions importing the client', value('functions/a.ts', 'lib/client/b.ts'), 'users of the API'],
    ['by infra importing the client', value('infra/a.ts', 'lib/client/b.ts'), 'users of the API'],
    [
      'by the n8n node importing from the rest of lib',
      { ...value('lib/n8n/nodes/a.ts', 'lib/webhooks/schemas.ts'), isType: true },
      'lib/n8n may import only n8n-workflow, node:crypto, lib/client/webhooks.ts',
    ],
    ['by the n8n node importing more of the client', value('lib/n8n/a.ts', 'lib/client/send.ts'), 'only'],
    ['by the n8n node importing a package', value('lib/n8n/a.ts', 'zod'), 'lib/n8n may import only'],
    ['by lib importing the n8n node', value('lib/webhooks/a.ts', 'lib/n8n/b.ts'), 'for n8n alone'],
    ['by bin importing the n8n node', value('bin/a.ts', 'lib/n8n/b.ts'), 'for n8n alone'],
    [
      'by something else importing the panel',
      { ...value('lib/people/a.ts', 'lib/panel/b.ts'), isType: true },
      "only the site's build reads the panel",
    ],
  ])('%s', (_what, broken, message) => {
    expect(brokenRules([broken], names)).toEqual([expect.stringContaining(message)]);
  });

  it('by subfolders of a noun that import each other', () => {
    const there = value('lib/webhooks/endpoints/a.ts', 'lib/webhooks/deliveries/b.ts');
    const back = value('lib/webhooks/deliveries/c.ts', 'lib/webhooks/endpoints/d.ts');
    expect(brokenRules([there])).toEqual([]);
    expect(brokenRules([there, back])).toEqual([
      expect.stringContaining('webhooks/deliveries, webhooks/endpoints'),
    ]);
  });

  it('by files that import each other, types included', () => {
    const types = { from: 'lib/posts/b.ts', to: 'lib/posts/a.ts', isType: true };
    expect(brokenRules([value('lib/posts/a.ts', 'lib/posts/b.ts'), types])).toEqual([
      expect.stringContaining('lib/posts/a.ts, lib/posts/b.ts'),
    ]);
  });
});

it('importsOf finds every form of import', () => {
  const text = `import * as z from 'zod';
import 'side-effect';
import type { A } from '../a.ts';
import { type B, type C } from './b.ts';
import { type D, e } from './d.ts';
import Default, { f } from './f.ts';
export { g } from './g.ts';
export * from './h.ts';
const later = await import('./i.ts');
import { j } from './j.ts';
`;
  expect(importsOf('lib/x/y.ts', text).map(({ to, isType }) => `${to}${isType ? ' (type)' : ''}`)).toEqual([
    'zod',
    'side-effect',
    'lib/a.ts (type)',
    'lib/x/b.ts (type)',
    'lib/x/d.ts',
    'lib/x/f.ts',
    'lib/x/g.ts',
    'lib/x/h.ts',
    'lib/x/j.ts',
    'lib/x/i.ts',
  ]);
});

it('cyclesIn finds complete cycles and nothing else', () => {
  const edges = ['ab', 'bc', 'ca', 'cd', 'de', 'ed', 'fa', 'gg'].map((edge) => [...edge] as [string, string]);
  expect(cyclesIn(edges).sort()).toEqual([['a', 'b', 'c'], ['d', 'e'], ['g']]);
});

it('the diagram in docs/architecture.md shows the enforced layers', () => {
  const document = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const shown = [...document.matchAll(/^\s+\w+\["(?<folders>[^<"]+)<br\/><i>(?<holds>[^<"]+)<\/i>"\]$/gm)];
  const rows = shown.map(({ groups }) => ({
    folders: groups?.['folders']?.split(' · '),
    holds: groups?.['holds'],
  }));
  expect(rows).toEqual(layers);
});

it.each(Object.entries(innerLayers))(
  'the table in docs/architecture.md shows the layers inside %s',
  (folder, inner) => {
    const document = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const [, table = ''] = document.split(`| in \`lib/${folder}\` | holds |\n|---|---|\n`);
    const shown = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (?<folders>.+) \| (?<holds>.+) \|$/gm)];
    const rows = shown.map(({ groups }) => ({
      folders: [...(groups?.['folders'] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
      holds: groups?.['holds'],
    }));
    expect(rows).toEqual(inner);
  },
);
