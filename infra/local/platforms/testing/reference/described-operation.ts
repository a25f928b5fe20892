/** A JSON Schema of draft 2019-09. */
export type Schema = boolean | { readonly [keyword: string]: unknown };

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly isRequired: boolean;
  /** True if the value is a list: the parameter several times, or separated by commas. */
  readonly isRepeated: boolean;
  /** The schema of one value, after conversion to its type. */
  readonly schema: Schema;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
}

export interface DescribedBody {
  readonly isRequired: boolean;
  /** Patterns of the `Content-Type`, such as `video/*`. */
  readonly types: readonly string[];
  /** The schema of the JSON object, or of the fields of a form; absent for files. */
  readonly schema?: Schema;
}

/** One operation of a platform, as its machine-readable description states it. */
export interface DescribedOperation {
  /** The description's name of the operation. */
  readonly id: string;
  readonly method: string;
  readonly hosts: readonly string[];
  /** The path with segments in braces: `/v5/pins/{pin_id}`. */
  readonly path: string;
  readonly parameters: readonly DescribedParameter[];
  readonly request?: DescribedBody;
  /** The schemas of responses by status; `default` for any other. `null`: a response without a body. */
  readonly responses: Readonly<Record<string, Schema | null>>;
  /** Checks the rules that the document states only in words. @returns the problems */
  readonly further?: (sent: {
    query: URLSearchParams;
    status?: number;
    answer?: unknown;
  }) => readonly string[];
}

/** A field that the description lacks, with the place that documents it. */
export interface OtherField {
  readonly operation: string;
  readonly in: 'request' | 'response';
  // With `*` for any item: `/items/*/title`.
  readonly field: string;
  readonly source: string;
}

/** All described operations of a platform, with the schemas that they refer to. */
export interface PlatformDescription {
  readonly platform: string;
  readonly operations: readonly DescribedOperation[];
  /** The schemas by the `$id` that references use. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Hosts that the description does not cover, each with the reason. */
  readonly otherHosts: Readonly<Record<string, string>>;
  readonly otherFields: readonly OtherField[];
}

/**
 * Returns the `$id` of a named schema. Absolute, so that references within one schema find another. @param use such as `response`
 */
export function schemaId(use: string, name: string): string {
  return `description:/${use}/${name}`;
}
