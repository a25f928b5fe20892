import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { appContext, createService, type ServiceProps } from '../../../infra/service.ts';
import { findStage } from '../../../infra/stages.ts';

/** Free-form, as `JSON.parse` gives it: each test says what it expects in it. */
type FreeForm = ReturnType<typeof JSON.parse>;

export interface TemplateResource {
  readonly logicalId: string;
  readonly Type: string;
  readonly Properties: FreeForm;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Metadata?: Readonly<Record<string, string>>;
}

export interface Synthesized {
  /** The assembly's folder. */
  readonly directory: string;
  /** By what their names add to the stage's: `data`, `api`, `api-posts`. */
  readonly stacks: Readonly<Record<string, readonly TemplateResource[]>>;
  /** All stacks' resources of a type. */
  readonly ofType: (type: string) => readonly TemplateResource[];
  /** The names under which a stack exports something. */
  readonly exports: (stack: string) => readonly string[];
  /** What cdk-nag has to say, where it was asked: `<rule> at <construct path>`. */
  readonly findings: readonly string[];
  readonly remove: () => void;
}

export interface SynthesizeOptions extends Partial<Omit<ServiceProps, 'bundles'>> {
  /** Runs cdk-nag's AwsSolutions. */
  readonly checked?: boolean;
  /** Works on the stacks before they are synthesized. */
  readonly change?: (stacks: ReturnType<typeof createService>) => void;
}

/** The service as templates, with one small bundle in the place of each function's. */
export function synthesize(options: SynthesizeOptions = {}): Synthesized {
  const { stage = findStage('dev'), api, workers, checked, change } = options;
  const root = mkdtempSync(join(tmpdir(), 'herald-synth-'));
  const directory = join(root, 'cdk.out');
  const bundle = join(root, 'bundle');
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'index.mjs'), 'export const handler = async () => ({ statusCode: 200 });\n');
  const app = new App({
    outdir: directory,
    analyticsReporting: false,
    postCliContext: appContext,
  });
  if (checked) Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const stacks = createService(app, {
    stage,
    bundles: () => bundle,
    ...(api && { api }),
    ...(workers && { workers }),
  });
  change?.(stacks);
  const findings = synthesizeWithFindings(app, join(directory, 'validation-report.json'));
  const templates: Record<string, FreeForm> = Object.fromEntries(
    globSync('*.template.json', { cwd: directory }).map((file) => [
      file.slice(`herald-${stage.name}-`.length, -'.template.json'.length),
      JSON.parse(readFileSync(join(directory, file), 'utf8')),
    ]),
  );
  const resources = Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [name, readResources(template)]),
  );
  return {
    directory,
    stacks: resources,
    ofType: (type) =>
      Object.values(resources).flatMap((ofStack) => ofStack.filter(({ Type }) => Type === type)),
    exports: (stack) =>
      Object.values<FreeForm>(templates[stack]?.Outputs ?? {}).flatMap(({ Export }) => Export?.Name ?? []),
    findings,
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** Findings fail the synthesis after the templates are written; the report names them. */
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

/** A function's own name, as it stands in its construct path. */
export function constructName(resource: TemplateResource): string {
  return resource.Metadata?.['aws:cdk:path']?.split('/').at(-2) ?? '';
}

/** The logical id that a `Ref` or `Fn::GetAtt` names, or the export that an import does. */
export function referenced(value: FreeForm): string {
  return value?.Ref ?? value?.['Fn::GetAtt']?.[0] ?? value?.['Fn::ImportValue'] ?? '';
}
