import * as z from 'zod';
import type { Effects, Tool } from './tool.ts';

/** A tool as clients list it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Effects;
  readonly inputSchema: object;
  readonly outputSchema: object;
}

/** Returns the list's entry of a tool. It writes JSON Schemas, which only happens at build time. */
export function toListedTool({ name, title, description, effects, input, output }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    annotations: effects,
    inputSchema: reduced(writtenSchema(input, 'input'), inputKeywords) as object,
    outputSchema: reduced(writtenSchema(output, 'output'), outputKeywords) as object,
  };
}

/** Returns the JSON Schema of a schema, in one piece. */
export function writtenSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema, ...written } = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    unrepresentable: 'any',
    // A schema with an id would be written once, beside the others.
    metadata: withoutIds,
    override: ({ jsonSchema }) => {
      // The names of fields say which ids they are.
      if (jsonSchema.format === 'uuid') delete jsonSchema.description;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return written;
}

/** The descriptions of all schemas, without the ids under which the OpenAPI document shares them. */
const withoutIds = z.registry<z.core.GlobalMeta>();
withoutIds.get = ((schema: z.ZodType) => {
  const { id, ...meta } = z.globalRegistry.get(schema) ?? {};
  return meta;
}) as typeof withoutIds.get;
withoutIds.has = (schema) => z.globalRegistry.has(schema);

const structure = ['type', 'properties', 'items', 'anyOf'];
/** Names and types of a result, on which an agent can rely in later releases too. */
const outputKeywords: readonly string[] = structure;
/** Lengths, formats and the refusal of unknown names are left out: they are checked, and an error names them. */
const inputKeywords: readonly string[] = [
  ...structure,
  ...['required', 'description', 'enum', 'const', 'default', 'minimum', 'maximum'],
];

/** Returns a schema with only some of its keywords: the list of tools is read by every agent, and has to stay short. */
function reduced(schema: unknown, keywords: readonly string[]): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, properties, items, ...rest } = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)),
  );
  if (Array.isArray(anyOf)) {
    // Results leave out what is null. Enumerations are alike without their values.
    const forms = anyOf.filter(({ type }) => type !== 'null').map((each) => reduced(each, keywords));
    const [form, other] = new Map(forms.map((each) => [JSON.stringify(each), each])).values();
    return other === undefined ? { ...(form as object), ...rest } : { ...rest, anyOf: forms };
  }
  if (Array.isArray(rest['type'])) rest['type'] = rest['type'].find((type) => type !== 'null');
  return {
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, reduced(property, keywords)]),
      ),
    }),
    ...(items !== undefined && { items: reduced(items, keywords) }),
  };
}
