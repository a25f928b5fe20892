import type * as z from 'zod';

/** A successful response of an operation. */
export interface OperationReply {
  readonly description: string;
  readonly body?: z.ZodType;
  /** Content type of the body; default `application/json`. */
  readonly bodyType?: string;
  /** Other content types that a request can ask for, with their descriptions. Their bodies are text. */
  readonly otherTypes?: Readonly<Record<string, string>>;
  /** Response headers by name, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
}
