/**
 * `npm run synth`: synthesizes the templates of a stage to `cdk.out`, and compares them with the previous release's. See `--help`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stacksOf } from '../infra/stack-names.ts';
import { findStage } from '../infra/stages.ts';
import { type Change, compareTemplates } from '../infra/templates/compare.ts';
import { loadResourceTypes, type ResourceTypes } from '../infra/templates/resource-types.ts';
import { readTemplates, type Templates } from '../infra/templates/template.ts';
import { readStackTemplate } from '../lib/aws/stage-stacks.ts';
import { readSettings } from './settings-file.ts';

const help = `npm run synth -- [options]

  -c, --context <key=value>   stage=production, operatorEmail=<address>
  --against <folder>          also says what an update of the templates in this folder (the cdk.out of the previous
                              release) would replace, remove, rename or fail at
  --deployed                  the same, against the templates that are deployed. Needs cloudformation:GetTemplate
  --accept <logical ids>      makes changes of these resources that would otherwise block the update
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

interface Compared {
  /** The lines to print. */
  readonly lines: readonly string[];
  /** True if nothing blocks the update. */
  readonly isFine: boolean;
}

/**
 * Compares synthesized templates with those of the previous release.
 *
 * @param accepted logical ids of resources with blocking changes that somebody has decided to make
 */
export function compareReleases(
  before: Templates,
  after: Templates,
  types: ResourceTypes,
  accepted: readonly string[] = [],
): Compared {
  if (before.size === 0) return { lines: ['Nothing is deployed yet.'], isFine: true };
  if (![...before.keys()].some((stack) => after.has(stack)))
    return {
      lines: [
        `nothing to compare: the previous templates are of ${[...before.keys()].join(', ')}, and none of these stacks is in the new ones`,
      ],
      isFine: false,
    };
  const changes = compareTemplates(before, after, types);
  const blocks = ({ isBlocker, logicalId }: Change) => isBlocker && !accepted.includes(logicalId);
  const blockers = changes.filter(blocks);
  const line = (change: Change) =>
    `${blocks(change) ? 'BLOCKED  ' : '         '}${change.stack} ${change.logicalId}: ${change.kind}, ${change.why}`;
  const summary =
    changes.length === 0
      ? 'The update replaces, removes and renames nothing.'
      : `${changes.length} changes, of which ${blockers.length} block the update.`;
  return { lines: [...changes.map(line), summary], isFine: blockers.length === 0 };
}

/** Reads the templates of the stage's stacks that are deployed. @param context as for {@link synthesize} */
async function readDeployed(context: readonly string[]): Promise<Templates> {
  const given = (key: string) => context.find((each) => each.startsWith(`${key}=`))?.slice(`${key}=`.length);
  const stage = findStage(given('stage') ?? 'dev', readSettings(given('config')));
  const read = await Promise.all(
    stacksOf(stage).map(async ({ name, region = stage.region }) => ({
      name,
      template: await readStackTemplate(name, region),
    })),
  );
  return new Map(
    read.flatMap(({ name, template }) => (template === undefined ? [] : [[name, JSON.parse(template)]])),
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      context: { type: 'string', short: 'c', multiple: true },
      against: { type: 'string' },
      deployed: { type: 'boolean' },
      accept: { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(help);
  } else {
    // Read first: the folder may be the one that the synthesis replaces.
    const { against, deployed, context = [] } = values;
    const before =
      against === undefined
        ? deployed
          ? await readDeployed(context)
          : undefined
        : readTemplates(resolve(against));
    await synthesize(context);
    if (before !== undefined) {
      const after = readTemplates(join(root, 'cdk.out'));
      const accepted = values.accept?.flatMap((ids) => ids.split(/[\s,]+/).filter(Boolean));
      const compared = compareReleases(before, after, loadResourceTypes(), accepted);
      for (const line of compared.lines) console.log(line);
      if (!compared.isFine) process.exitCode = 1;
    }
  }
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
