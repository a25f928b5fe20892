import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type N8n, openWorkshop, publish, run, startN8n, type Workshop } from './host.ts';

const root = join(import.meta.dirname, '../../../..');

let workshop: Workshop;
let published: string;
beforeAll(async () => {
  workshop = await openWorkshop('package');
  published = await publish(workshop);
}, 600_000);

describe('the sources of n8n-nodes-herald', () => {
  it('compile against the types of n8n', async () => {
    const compiler = join(root, 'node_modules/.bin/tsc');
    expect(await run(compiler, ['--project', '.'], workshop.sources)).toEqual({ status: 0, output: '' });
  });

  it("pass n8n's linter, but for the licence", async () => {
    const { output } = await run(
      join(workshop.n8n, 'node_modules/.bin/n8n-node'),
      ['lint'],
      workshop.sources,
    );
    const findings = output.split('\n').filter((line) => /^\s+\d+:\d+\s/.test(line));
    // n8n verifies packages under MIT only; this one has the licence of the project.
    expect(findings, output).toEqual([expect.stringContaining('community-package-json-license-not-default')]);
  });
});

describe('the published package', () => {
  it('has what n8n loads, and no sources', () => {
    expect(globSync('**/*.*', { cwd: published }).sort()).toEqual([
      'README.md',
      'dist/credentials/HeraldApi.credentials.js',
      'dist/icons/herald.dark.svg',
      'dist/icons/herald.svg',
      'dist/nodes/Herald/Herald.node.js',
      'dist/nodes/Herald/Herald.node.json',
      'dist/nodes/HeraldTrigger/HeraldTrigger.node.js',
      'dist/nodes/HeraldTrigger/HeraldTrigger.node.json',
      'package.json',
    ]);
    expect(readFileSync(join(published, 'LICENSE'), 'utf8')).toBe(
      readFileSync(join(root, 'LICENSE'), 'utf8'),
    );
  });

  it("requires nothing but n8n and Node's crypto", () => {
    const required = globSync('dist/**/*.js', { cwd: published })
      .map((path) => readFileSync(join(published, path), 'utf8'))
      .flatMap((code) => [...code.matchAll(/\brequire\("(.*?)"\)/g)].map(([, name]) => name));
    expect(new Set(required)).toEqual(new Set(['n8n-workflow', 'node:crypto']));
  });

  it('passes the rules with which n8n scans what is published', async () => {
    const config = join(workshop.sources, '../../scan.config.mjs');
    const rules = `
      import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
      export default [n8nCommunityNodesPlugin.configs.recommended, { rules: { 'no-console': 'error' } }];`;
    writeFileSync(config, rules);
    const eslint = join(workshop.n8n, 'node_modules/.bin/eslint');
    const scan = (pattern: string) => run(eslint, ['-c', config, pattern], join(workshop.sources, '../..'));
    expect(await scan('lib/n8n/dist/**/*.js')).toEqual({ status: 0, output: '' });
    // The rules are in force.
    writeFileSync(join(workshop.sources, '../../timer.js'), 'setTimeout(() => {}, 1);');
    expect((await scan('timer.js')).output).toContain('no-restricted-globals');
  });

  describe('loaded by n8n', () => {
    let n8n: N8n;
    beforeAll(async () => {
      n8n = await startN8n(workshop, published);
    });
    afterAll(() => n8n.stop());

    it('has a node that agents can use, a trigger and their credential, with icons', async () => {
      const icon = (name: string) => `icons/n8n-nodes-herald/dist/icons/${name}.svg`;
      const iconUrl = { light: icon('herald'), dark: icon('herald.dark') };
      const credentials = [{ name: 'heraldApi', required: true }];
      const codex = expect.objectContaining({ categories: ['Marketing', 'Communication'] });
      expect(await n8n.ask('describe')).toEqual({
        nodes: [
          { name: 'herald', displayName: 'Herald', usableAsTool: true, codex, iconUrl, credentials },
          { name: 'heraldTrigger', displayName: 'Herald Trigger', codex, iconUrl, credentials },
        ],
        credentials: [
          {
            name: 'heraldApi',
            displayName: 'Herald API',
            iconUrl,
            supportedNodes: ['herald', 'heraldTrigger'],
            test: expect.anything(),
          },
        ],
      });
    });
  });
});
