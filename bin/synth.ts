/**
 * `npm run synth`: synthesizes the templates of a stage to `cdk.out`, and compares them with the previous release's. See `--help`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadResourceTypes } from '../infra/templates/resource-types.ts';
import { readTemplates } from '../infra/templates/template.ts';
import { compareReleases } from './synth/compare.ts';

const help = `npm run synth -- [options]

  -c, --context <key=value>   stage=production, operatorEmail=<address>
  --against <folder>          also says what an update of the templates in this folder (the cdk.out of the previous
                              release) would replace, remove, rename or fail at
  --accept <logical id>       makes a change of this resource that would otherwise block the update
  --help

It ends with 1 if the stage cannot be synthesized, or if a change blocks the update.
`;

const root = join(import.meta.dirname, '..');

/** @throws Error if the app cannot be synthesized; CDK has said why */
async function synthesize(context: readonly string[]): Promise<void> {
  const cdk = spawn(
    process.execPath,
    [
      join(root, 'node_modules/aws-cdk/bin/cdk'),
      'synth',
      '--quiet',
      ...context.flatMap((each) => ['-c', each]),
    ],
    { cwd: root, stdio: 'inherit' },
  );
  const [exitCode] = await once(cdk, 'exit');
  if (exitCode !== 0) throw new Error('the templates cannot be synthesized');
}

try {
  const { values } = parseArgs({
    options: {
      context: { type: 'string', short: 'c', multiple: true },
      against: { type: 'string' },
      accept: { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(help);
  } else {
    // Read first: the folder may be the one that the synthesis replaces.
    const before = values.against === undefined ? undefined : readTemplates(resolve(values.against));
    await synthesize(values.context ?? []);
    if (before !== undefined) {
      const after = readTemplates(join(root, 'cdk.out'));
      const compared = compareReleases(before, after, loadResourceTypes(), values.accept);
      for (const line of compared.lines) console.log(line);
      if (!compared.isFine) process.exitCode = 1;
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
