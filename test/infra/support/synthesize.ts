import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { fingerprintOf } from '../../../bin/dev/synthesis.ts';
import { appContext, createService, type ServiceProps } from '../../../infra/service.ts';
import { findStage, type Stage } from '../../../infra/stages.ts';

/** The `any` of `JSON.parse`: each test knows what it expects. */
type FreeForm = ReturnType<typeof JSON.parse>;

export interface TemplateResource {
  readonly logicalId: string;
  readonly Type: string;
  readonly Properties: FreeForm;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: FreeForm;
  readonly Metadata?: Readonly<Record<string, string>>;
}

export interface Synthesized {
  /** The folder of the assembly. */
  readonly directory: string;
  /** Keyed by the stack's name without the stage: `data`, `api`, `api-posts`. */
  readonly stacks: Readonly<Record<string, readonly TemplateResource[]>>;
  /** Resources of a type in all stacks, without CDK's functions that upload the panel's site and empty buckets, and their roles. */
  readonly ofType: (type: string) => readonly TemplateResource[];
  /** The names of a stack's exports. */
  readonly exports: (stack: string) => readonly string[];
  /** The values of a stack's outputs that are no exports, by name. */
  readonly outputs: (stack: string) => Readonly<Record<string, FreeForm>>;
  /** The account and Region of the stacks, each once: `aws://<account>/<region>`. */
  readonly environments: () => readonly string[];
  /** The findings if `checked`, as `<rule> at <construct path>`. */
  readonly findings: readonly string[];
  readonly remove: () => void;
}

export interface SynthesizeOptions extends Partial<Omit<ServiceProps, 'bundles' | 'site'>> {
  /** Runs cdk-nag's AwsSolutions, and CDK's own validation of the templates. */
  readonly checked?: boolean;
  /** Changes the stacks before they are synthesized. */
  readonly change?: (stacks: ReturnType<typeof createService>) => void;
}

/**
 * Returns true if a resource runs only during a deployment: it uploads the panel's site, or empties a bucket that is deleted.
 */
const isOfDeployment = ({ Metadata }: TemplateResource): boolean =>
  /\/(Custom::\w+|Uploader|EmptierLog)\//.test(Metadata?.['aws:cdk:path'] ?? '');

/** The templates, without the means to remove them. */
export type Templates = Omit<Synthesized, 'findings' | 'remove'>;

const operatorEmail = 'operators@example.com';

/** The stage `dev` with alarms, so that tests see all that production has, in templates of `dev`. */
export const devWithAlarms: Stage = { ...findStage('dev'), hasAlarms: true, operatorEmail };

/** The stage `production` with somebody who receives its alarms. */
export const production: Stage = { ...findStage('production'), operatorEmail };

/** The two services that test files share: `dev` with alarms, and `production`. */
const sharedStages = { dev: devWithAlarms, production } as const;
type SharedStage = keyof typeof sharedStages;

const root = join(import.meta.dirname, '../../..');
const opened: Partial<Record<SharedStage, Templates>> = {};

/**
 * The templates of a stage, {@link devWithAlarms} or {@link production}. They are synthesized once per state of the sources: a
 * synthesis takes seconds, and all files and workers need the same two.
 */
export function synthesizeOnce(name: SharedStage = 'dev'): Templates {
  opened[name] ??= openAssembly(sharedAssembly(name), sharedStages[name].name);
  return opened[name];
}

/** Returns the folder of a shared assembly. Processes that want it at the same time wait for the first one to synthesize it. */
function sharedAssembly(name: SharedStage): string {
  const folder = join(root, '.build/template-tests');
  mkdirSync(folder, { recursive: true });
  // The operating system releases the lock if its process ends.
  const lock = new DatabaseSync(join(folder, `${name}.lock.sqlite`), { timeout: 600_000 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    const fingerprint = fingerprintOf(root, ['test/infra/support/synthesize.ts']);
    const directory = join(folder, name);
    const known = join(directory, '.sources');
    if (existsSync(known) && readFileSync(known, 'utf8') === fingerprint) return directory;
    const synthesized = synthesize({ stage: sharedStages[name] });
    rmSync(directory, { recursive: true, force: true });
    cpSync(synthesized.directory, directory, { recursive: true });
    synthesized.remove();
    // It is written last: an assembly without it is not complete.
    writeFileSync(known, fingerprint);
    return directory;
  } finally {
    lock.close();
  }
}

/** Synthesizes the service's templates with one small bundle in place of each function's bundle, and a small site. */
export function synthesize(options: SynthesizeOptions = {}): Synthesized {
  const { stage = devWithAlarms, api, workers, checked, change } = options;
  const folder = mkdtempSync(join(tmpdir(), 'herald-synth-'));
  const directory = join(folder, 'cdk.out');
  const bundle = join(folder, 'bundle');
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'index.mjs'), 'export const handler = async () => ({ statusCode: 200 });\n');
  const site = join(folder, 'site');
  mkdirSync(join(site, 'assets'), { recursive: true });
  writeFileSync(join(site, 'index.html'), '<!doctype html>\n');
  writeFileSync(join(site, 'assets/main-ABCDEFGH.js'), 'export {};\n');
  const app = new App({
    outdir: directory,
    analyticsReporting: false,
    postCliContext: appContext,
    // It takes ten seconds, and what it finds is a warning. The checked service has it.
    builtinCloudFormationValidation: checked === true,
  });
  if (checked) Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const stacks = createService(app, {
    stage,
    bundles: () => bundle,
    site,
    ...(api && { api }),
    ...(workers && { workers }),
  });
  change?.(stacks);
  const findings = synthesizeWithFindings(app, join(directory, 'validation-report.json'));
  return {
    ...openAssembly(directory, stage.name),
    findings,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function openAssembly(directory: string, stageName: string): Templates {
  const templates: Record<string, FreeForm> = Object.fromEntries(
    globSync('*.template.json', { cwd: directory }).map((file) => [
      file.slice(`herald-${stageName}-`.length, -'.template.json'.length),
      JSON.parse(readFileSync(join(directory, file), 'utf8')),
    ]),
  );
  const { artifacts }: FreeForm = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'));
  const environments = [
    ...new Set(
      Object.values<FreeForm>(artifacts).flatMap(({ type, environment }) =>
        type === 'aws:cloudformation:stack' ? [environment] : [],
      ),
    ),
  ];
  const resources = Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [name, readResources(template)]),
  );
  return {
    directory,
    stacks: resources,
    ofType: (type) =>
      Object.values(resources).flatMap((ofStack) =>
        ofStack.filter((resource) => resource.Type === type && !isOfDeployment(resource)),
      ),
    exports: (stack) =>
      Object.values<FreeForm>(templates[stack]?.Outputs ?? {}).flatMap(({ Export }) => Export?.Name ?? []),
    outputs: (stack) =>
      Object.fromEntries(
        Object.entries<FreeForm>(templates[stack]?.Outputs ?? {}).flatMap(([name, { Value, Export }]) =>
          Export ? [] : [[name, Value]],
        ),
      ),
    environments: () => environments,
  };
}

/** Reads findings from the report: they fail the synthesis, but only after the templates are written. */
function synthesizeWithFindings(app: App, reportPath: string): readonly string[] {
  try {
    app.synth();
    return [];
  } catch (error) {
    if (!existsSync(reportPath)) throw error;
    const report: FreeForm = JSON.parse(readFileSync(reportPath, 'utf8'));
    return report.pluginReports.flatMap(({ violations }: FreeForm) =>
      violations.flatMap(({ ruleName, violatingConstructs }: FreeForm) =>
        violatingConstructs.map(({ constructPath }: FreeForm) => `${ruleName} at ${constructPath}`),
      ),
    );
  }
}

function readResources({ Resources }: FreeForm): readonly TemplateResource[] {
  return Object.entries<Omit<TemplateResource, 'logicalId'>>(Resources).map(([logicalId, resource]) => ({
    ...resource,
    logicalId,
    Properties: resource.Properties ?? {},
  }));
}

/** The name of a function, from its construct path. */
export function constructName(resource: TemplateResource): string {
  return resource.Metadata?.['aws:cdk:path']?.split('/').at(-2) ?? '';
}

/** The logical id in a `Ref` or `Fn::GetAtt`, or the name of the export in an `Fn::ImportValue`. */
export function referenced(value: FreeForm): string {
  return value?.Ref ?? value?.['Fn::GetAtt']?.[0] ?? value?.['Fn::ImportValue'] ?? '';
}

/**
 * The name of the function that a route, a mapping or a permission calls, directly or through an alias.
 *
 * @param target such as `IntegrationUri`
 */
export function calledFunction({ ofType }: Pick<Templates, 'ofType'>, target: FreeForm): string {
  const id = [...JSON.stringify(target ?? '').matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)][0]?.[1];
  const alias = ofType('AWS::Lambda::Alias').find(({ logicalId }) => logicalId === id);
  const called = alias === undefined ? id : referenced(alias.Properties.FunctionName);
  const found = ofType('AWS::Lambda::Function').find(({ logicalId }) => logicalId === called);
  return found === undefined ? '' : constructName(found);
}
