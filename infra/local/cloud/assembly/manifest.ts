/** Reads the stacks of a cloud assembly (`cdk.out`) that its manifest names, including nested assemblies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const artifact = z.object({
  type: z.string(),
  environment: z.string().optional(),
  dependencies: z.array(z.string()).optional(),
  properties: z
    .object({
      templateFile: z.string().optional(),
      stackName: z.string().optional(),
      directoryName: z.string().optional(),
    })
    .loose()
    .optional(),
});
const manifest = z.object({ artifacts: z.record(z.string(), artifact).default({}) });

const templateResource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Condition: z.string().optional(),
  Metadata: z.record(z.string(), z.unknown()).default({}),
});
const template = z.object({
  Resources: z.record(z.string(), templateResource).default({}),
  Parameters: z.record(z.string(), z.object({ Type: z.string(), Default: z.unknown() })).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
  Outputs: z
    .record(z.string(), z.object({ Value: z.unknown(), Export: z.object({ Name: z.unknown() }).optional() }))
    .default({}),
});

export type Template = z.infer<typeof template>;
export type TemplateResource = z.infer<typeof templateResource>;

export interface AssemblyStack {
  readonly stackName: string;
  /** The folder that the template's asset paths are relative to. */
  readonly directory: string;
  /** Absent if the deployment chooses the account. The same applies to `region`. */
  readonly accountId?: string;
  readonly region?: string;
  readonly template: Template;
}

/**
 * Reads the assembly's stacks, each after its dependencies.
 *
 * @throws Error if the directory does not contain a synthesized assembly.
 */
export function readStacks(directory: string): readonly AssemblyStack[] {
  const { artifacts } = readJson(join(directory, 'manifest.json'), manifest);
  const ordered: AssemblyStack[] = [];
  const visited = new Set<string>();

  function visit(id: string): void {
    const found = artifacts[id];
    if (found === undefined || visited.has(id)) return;
    visited.add(id);
    for (const dependency of found.dependencies ?? []) visit(dependency);
    const { templateFile, stackName, directoryName } = found.properties ?? {};
    if (found.type === 'cdk:cloud-assembly' && directoryName !== undefined) {
      ordered.push(...readStacks(join(directory, directoryName)));
    }
    if (found.type === 'aws:cloudformation:stack' && templateFile !== undefined) {
      ordered.push({
        stackName: stackName ?? id,
        directory,
        ...parseEnvironment(found.environment),
        template: readJson(join(directory, templateFile), template),
      });
    }
  }

  for (const id of Object.keys(artifacts)) visit(id);
  return ordered;
}

/** @param environment such as `aws://123456789012/eu-west-1` or `aws://unknown-account/unknown-region`. */
function parseEnvironment(environment = ''): { accountId?: string; region?: string } {
  const [, accountId, region] = /^aws:\/\/([^/]+)\/(.+)$/.exec(environment) ?? [];
  return {
    ...(accountId !== undefined && accountId !== 'unknown-account' && { accountId }),
    ...(region !== undefined && region !== 'unknown-region' && { region }),
  };
}

function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} is not part of a synthesized assembly`, { cause: error });
  }
  return schema.parse(content);
}
