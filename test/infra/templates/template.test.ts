import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTemplates } from '../../../infra/templates/template.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assembly-'));
  for (const stack of ['dev-data', 'production-data']) write(`${stack}.template.json`, { Resources: {} });
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = (file: string, content: object) =>
  writeFileSync(join(directory, file), JSON.stringify(content));

it('reads the templates of the latest synthesis, not those that earlier ones have left in the folder', () => {
  write('manifest.json', {
    artifacts: {
      'production-data': {
        type: 'aws:cloudformation:stack',
        properties: { templateFile: 'production-data.template.json' },
      },
      'production-data.assets': { type: 'cdk:asset-manifest', properties: {} },
      Tree: { type: 'cdk:tree' },
    },
  });
  expect([...readTemplates(directory).keys()]).toEqual(['production-data']);
});

it('reads all templates of a folder that has nothing else', () => {
  expect([...readTemplates(directory).keys()]).toEqual(['dev-data', 'production-data']);
});

it('refuses a folder without templates', () => {
  expect(() => readTemplates(join(directory, 'none'))).toThrow('has no template');
});
