import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { environmentOf, type Wires } from '../../functions/wire/start.ts';
import { apiFunctions } from '../../infra/functions/api.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { constructName, synthesizeOnce, type Templates } from './support/synthesize.ts';

const root = join(import.meta.dirname, '../..');

/** Variables that Lambda sets in every function. */
const ofLambda = {
  LD_LIBRARY_PATH: '/lib64',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
};
/** Variables of every function. Powertools reads the first; only the metrics wire reads the second. */
const ofPowertools = ['POWERTOOLS_SERVICE_NAME', 'STAGE'];

let service: Templates;
beforeAll(() => {
  service = synthesizeOnce();
});

it.each([...apiFunctions, ...workerFunctions])(
  '$name is deployed with exactly the variables that its wires read',
  async ({ name: functionName, entry }) => {
    const deployed = service
      .ofType('AWS::Lambda::Function')
      .find((each) => constructName(each) === functionName);
    const variables = Object.entries<unknown>(deployed?.Properties.Environment.Variables ?? {});
    const texts = variables.map(([name, value]) => [name, typeof value === 'string' ? value : 'a reference']);
    const environment = environmentOf({ ...Object.fromEntries(texts), ...ofLambda });
    const read = new Set<string>();
    const { build } = (await import(join(root, entry))) as { readonly build: { readonly wires: Wires } };
    for (const wire of Object.values(build.wires)) {
      wire((variable, otherwise) => {
        read.add(variable);
        return environment(variable, otherwise);
      });
    }
    const unread = variables.flatMap(([name]) => (read.has(name) ? [] : name));
    expect(unread.filter((name) => !ofPowertools.includes(name))).toEqual([]);
  },
);
