import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export interface Resource {
  readonly Type: string;
  readonly Properties?: JsonObject;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: JsonObject;
  readonly Condition?: string;
}

/** A CloudFormation template, as far as the checks read it. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, Output>>;
  readonly Parameters?: JsonObject;
  readonly Mappings?: JsonObject;
  readonly Conditions?: JsonObject;
}

export interface Output {
  readonly Value: Json;
  readonly Export?: { readonly Name: Json };
}

/** The templates of one stage, by the names of their stacks. */
export type Templates = ReadonlyMap<string, Template>;

/**
 * Reads the templates of the latest synthesis in an assembly's folder, such as `cdk.out`. CDK leaves files of earlier syntheses
 * there, perhaps for another stage.
 *
 * @throws Error if the folder has no template, or one that is not JSON
 */
export function readTemplates(directory: string): Templates {
  const manifest = join(directory, 'manifest.json');
  const files = existsSync(manifest)
    ? templatesIn(JSON.parse(readFileSync(manifest, 'utf8')))
    : globSync('*.template.json', { cwd: directory }).sort();
  if (files.length === 0)
    throw new Error(`${directory} has no template: it is not the folder of a synthesis`);
  return new Map(
    files.map((file) => [
      basename(file, '.template.json'),
      JSON.parse(readFileSync(join(directory, file), 'utf8')) as Template,
    ]),
  );
}

interface Manifest {
  readonly artifacts?: Readonly<
    Record<string, { readonly type: string; readonly properties?: { readonly templateFile?: string } }>
  >;
}

function templatesIn({ artifacts = {} }: Manifest): string[] {
  return Object.values(artifacts).flatMap(({ type, properties }) =>
    type === 'aws:cloudformation:stack' ? (properties?.templateFile ?? []) : [],
  );
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the call of a function in a template, such as `{ Ref: 'Table' }`; undefined if the value is not a call. */
export function callIn(
  value: Json | undefined,
): { readonly name: string; readonly argument: Json } | undefined {
  if (!isObject(value)) return undefined;
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) return undefined;
  const [name, argument] = entry;
  return name === 'Ref' || name === 'Condition' || name.startsWith('Fn::') ? { name, argument } : undefined;
}

/** Iterates over every call in a value, from the outside to the inside. */
export function* callsIn(
  value: Json | undefined,
): Generator<{ readonly name: string; readonly argument: Json }> {
  if (value === undefined || value === null || typeof value !== 'object') return;
  const call = callIn(value);
  if (call !== undefined) yield call;
  for (const part of Object.values(value)) yield* callsIn(part);
}

/** Returns the name of an export, if it is known before the deployment. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
