import type * as z from 'zod';

/** A successful response of an operation. */
export interface OperationReply {
  readonly description: string;
  readonly body?: z.ZodType;
  /** Content type of the body; default `application/json`. */
  readonly bodyType?: string;
  /** Response headers by name, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
}
