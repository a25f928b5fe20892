import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CollectionTag, parse, type ScalarTag } from 'yaml';
import * as z from 'zod';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const Step = z.strictObject({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
});
const Permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));
const Job = z.strictObject({
  needs: z.union([z.string(), z.array(z.string())]).optional(),
  if: z.string().optional(),
  environment: z.string().optional(),
  'runs-on': z.literal('ubuntu-24.04'),
  'timeout-minutes': z.number().max(120),
  permissions: Permissions.optional(),
  steps: z.array(Step),
});
const Workflow = z.strictObject({
  name: z.string(),
  on: z.unknown(),
  permissions: Permissions,
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }),
  jobs: z.record(z.string(), Job),
});

const files = globSync('.github/workflows/*.yml', { cwd: root }).sort();
const workflows = files.map((file) => ({ file, text: read(file), ...Workflow.parse(parse(read(file))) }));
const jobs = workflows.flatMap(({ file, jobs }) =>
  Object.entries(jobs).map(([name, job]) => ({ file, name, job })),
);
const steps = jobs.flatMap(({ file, name, job }) => job.steps.map((step) => ({ file, name, step })));
const jobOf = (file: string, name: string) => {
  const found = jobs.find((each) => each.file.endsWith(`/${file}`) && each.name === name);
  if (found === undefined) throw new Error(`${file} has no job ${name}`);
  return found.job;
};
const commandsOf = (job: z.infer<typeof Job>): string => job.steps.map(({ run = '' }) => run).join('\n');

/** The scripts and programs that a text runs with npm. */
const scriptsIn = (text: string) =>
  [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => script);
const programsIn = (text: string) => [...text.matchAll(/\bnpx ([\w-]+)/g)].map(([, program = '']) => program);

describe('the pipeline', () => {
  it('has a workflow for pull requests, one for the night, and one that deploys', () => {
    const names = ['deploy', 'nightly', 'pull-request'];
    expect(files).toEqual(names.map((name) => `.github/workflows/${name}.yml`));
  });

  const documents = [...files, 'docs/releases.md'];
  it.each(documents)('%s runs only scripts and programs that exist', (file) => {
    const { scripts } = JSON.parse(read('package.json'));
    const text = read(file);
    expect(scriptsIn(text).length).toBeGreaterThan(0);
    for (const script of scriptsIn(text)) expect(Object.keys(scripts)).toContain(script);
    for (const program of programsIn(text))
      expect(existsSync(join(root, 'node_modules/.bin', program)), program).toBe(true);
  });

  it('runs the daily tests for a pull request, and all tests every night', () => {
    expect(commandsOf(jobOf('pull-request.yml', 'test'))).toMatch(/npm ci\nnpm test\nnpm run synth/);
    expect(commandsOf(jobOf('nightly.yml', 'test'))).toMatch(/npm test\nnpm run test:deep$/);
  });

  it('checks the signatures of all packages every night, and lists the packages of each release', () => {
    expect(commandsOf(jobOf('nightly.yml', 'test'))).toMatch(/npm ci\nnpm audit signatures\n/);
    expect(commandsOf(jobOf('deploy.yml', 'test'))).toMatch(/npm run --silent sbom > herald\.cdx\.json/);
    const upload = jobOf('deploy.yml', 'test').steps.find(({ uses }) =>
      uses?.startsWith('actions/upload-artifact@'),
    );
    expect(upload?.with).toMatchObject({ path: 'herald.cdx.json', 'if-no-files-found': 'error' });
    expect(JSON.parse(read('package.json')).scripts.sbom).toMatch(/^npm sbom --sbom-format cyclonedx /);
  });

  it('runs the daily tests before dev, all tests before production, and a smoke test after each deployment', () => {
    expect(commandsOf(jobOf('deploy.yml', 'test'))).toMatch(/npm ci\nnpm test/);
    expect(commandsOf(jobOf('deploy.yml', 'deep-test'))).toMatch(/npm ci\nnpm run test:deep/);
    expect(jobOf('deploy.yml', 'dev').needs).toBe('test');
    expect(jobOf('deploy.yml', 'production').needs).toEqual(['dev', 'deep-test']);
    for (const stage of ['dev', 'production'])
      expect(commandsOf(jobOf('deploy.yml', stage))).toMatch(/npm run deploy .*npm run smoke /s);
  });

  it('stops before it deploys what would replace or lose something, and says so in the pull request', () => {
    for (const stage of ['dev', 'production'])
      expect(commandsOf(jobOf('deploy.yml', stage))).toMatch(
        /npm run synth -- -c stage="\$STAGE" .*--deployed.*npm run deploy /s,
      );
    const diff = jobOf('pull-request.yml', 'diff');
    // Without pipefail, the end of `tee` would be that of the command.
    expect(commandsOf(diff)).toMatch(/set -o pipefail\n.*synth -- -c stage=production .*--deployed/);
    expect(diff.steps.at(-1)).toMatchObject({ name: 'Write the comment', if: 'success() || failure()' });
  });

  it('deploys each stage in its environment, where production waits for an approval', () => {
    for (const stage of ['dev', 'production']) expect(jobOf('deploy.yml', stage).environment).toBe(stage);
  });

  it('never cancels a deployment that runs', () => {
    const deploy = workflows.find(({ file }) => file.endsWith('/deploy.yml'));
    expect(deploy?.concurrency).toEqual({ group: 'deploy', 'cancel-in-progress': false });
  });

  it('pins each action by the digest of a commit, and names its version', () => {
    for (const { file, text } of workflows) {
      const uses = text.split('\n').filter((line) => /\buses:/.test(line));
      expect(uses.length, file).toBeGreaterThan(0);
      for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it('may only read the repository, unless a job assumes a role or writes a comment', () => {
    for (const { permissions } of workflows) expect(permissions).toEqual({ contents: 'read' });
    for (const { name, job } of jobs) {
      const assumes = job.steps.some(({ uses }) =>
        uses?.startsWith('aws-actions/configure-aws-credentials@'),
      );
      const comments = commandsOf(job).includes('gh pr comment');
      expect({ name, permissions: job.permissions ?? { contents: 'read' } }).toEqual({
        name,
        permissions: {
          contents: 'read',
          ...(assumes && { 'id-token': 'write' }),
          ...(comments && { 'pull-requests': 'write' }),
        },
      });
    }
  });

  it('gives a role to no code of a fork, and keeps no token in the working copy', () => {
    for (const { text } of workflows) expect(text).not.toContain('pull_request_target');
    expect(jobOf('pull-request.yml', 'diff').if).toContain('head.repo.full_name == github.repository');
    for (const { step } of steps)
      if (step.uses?.startsWith('actions/checkout@')) expect(step.with?.['persist-credentials']).toBe(false);
  });

  it('passes values to commands by variables only, so that none of them can be a command', () => {
    for (const { step } of steps) expect(step.run ?? '').not.toContain('${{');
  });
});

describe('the roles of the pipeline', () => {
  /** CloudFormation's short forms, as they are: `!Sub x` is `{ Sub: 'x' }`. */
  const tags = ['Ref', 'Sub', 'GetAtt', 'Equals', 'If'].flatMap((name): (ScalarTag | CollectionTag)[] => [
    { tag: `!${name}`, resolve: (text: string) => ({ [name]: text }) },
    {
      tag: `!${name}`,
      collection: 'seq',
      resolve: (seq) => ({ [name]: (seq as { toJSON: () => unknown }).toJSON() }),
    },
  ]);
  const template = parse(read('.github/aws-roles.yaml'), { customTags: tags });
  const roles = ['DeployRole', 'DiffRole'] as const;

  it.each([
    ['DeployRole', /^repo:\$\{Repository\}:environment:\$\{Environment\}$/],
    ['DiffRole', /^repo:\$\{Repository\}:pull_request$/],
  ] as const)('trust jobs of one repository only: %s', (role, subject) => {
    const [statement, ...others] = template.Resources[role].Properties.AssumeRolePolicyDocument.Statement;
    expect(others).toEqual([]);
    expect(statement).toMatchObject({
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
          'token.actions.githubusercontent.com:sub': { Sub: expect.stringMatching(subject) },
        },
      },
    });
  });

  it('let the stack in the second Region be deployed and compared, if the stage has one', () => {
    expect(template.Parameters.BackupRegion.Default).toBe('none');
    const resources = (role: (typeof roles)[number]) =>
      JSON.stringify(template.Resources[role].Properties.Policies);
    for (const pattern of [
      /deploy-role-[^"]+-\$\{BackupRegion\}"/,
      /file-publishing-role-[^"]+-\$\{BackupRegion\}"/,
    ])
      expect(resources('DeployRole')).toMatch(pattern);
    for (const role of roles) expect(resources(role)).toMatch(/:cloudformation:\$\{BackupRegion\}:/);
  });

  it('have no action on everything, and the one for pull requests only reads', () => {
    const actionsOf = (role: (typeof roles)[number]): string[] =>
      template.Resources[role].Properties.Policies.flatMap(
        ({ PolicyDocument }: { PolicyDocument: { Statement: { Action: string | string[] }[] } }) =>
          PolicyDocument.Statement.flatMap(({ Action }) => Action),
      );
    const reads = ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'];
    expect(actionsOf('DeployRole')).toEqual(['sts:AssumeRole', ...reads]);
    expect(actionsOf('DiffRole')).toEqual(reads);
    expect(JSON.stringify(template.Resources)).not.toMatch(/"Resource":"\*"/);
  });
});
