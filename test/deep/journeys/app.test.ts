import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { readAssembly } from '@herald/local-cloud/assembly/assembly.ts';
import type { FunctionResource } from '@herald/local-cloud/model.ts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { apiFunctions } from '../../../infra/functions/api.ts';
import { workerFunctions } from '../../../infra/functions/workers.ts';

const projectRoot = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
/** Loads a bundle as Lambda does. */
const start = 'console.log(typeof (await import(process.argv[1])).handler)';
let directory: string;
let otherDirectory: string;
let functions: ReadonlyMap<string, FunctionResource>;

beforeAll(() => {
  directory = inject('assemblyDirectory');
  otherDirectory = mkdtempSync(join(tmpdir(), 'herald-app-'));
  const addresses = {
    endpointUrl: 'http://127.0.0.1:1',
    apiUrl: 'http://127.0.0.1:2',
    edgeUrl: () => 'http://127.0.0.1:3',
  };
  const model = readAssembly({ directory, addresses });
  functions = new Map(model.functions.map((resource) => [resource.name, resource]));
});
afterAll(() => rmSync(otherDirectory, { recursive: true }));

/** The variables that Lambda sets for every function. */
const runtimeVariables = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'token',
};

describe('the app', () => {
  it.concurrent.each([...apiFunctions, ...workerFunctions].map(({ name }) => name))(
    'deploys %s with all the variables that it needs to start',
    async (name) => {
      const resource = functions.get(name);
      if (resource === undefined) throw new Error(`${name} is not in the assembly`);
      const bundle = pathToFileURL(join(resource.assetDirectory, 'index.mjs')).href;
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', start, bundle], {
        env: { ...resource.environment, ...runtimeVariables },
      });
      expect(stdout).toBe('function\n');
    },
  );

  it('lists the known stages if the stage is unknown', async () => {
    const context = JSON.stringify({ stage: 'staging' });
    const env = { ...process.env, CDK_OUTDIR: otherDirectory, CDK_CONTEXT_JSON: context };
    await expect(run(process.execPath, ['bin/app.ts'], { cwd: projectRoot, env })).rejects.toMatchObject({
      code: 1,
      stderr: 'unknown stage staging: use dev or production\n',
    });
  }, 30_000);

  it('leaves account and region to the deployment', () => {
    const { artifacts } = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'));
    expect(artifacts['herald-dev-data'].environment).toBe('aws://unknown-account/unknown-region');
  });
});
