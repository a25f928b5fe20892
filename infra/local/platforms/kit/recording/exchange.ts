import type { Call } from '../call.ts';
import type { Answer } from '../types.ts';
import type { RecordedBody } from './recorded-body.ts';

/** An answer as it is sent. */
export type WholeAnswer = Answer & { readonly body: string };

/** A request to the platform and its answer, with all secrets. */
export interface Exchange extends Pick<Call, 'operation' | 'method' | 'host' | 'path' | 'query' | 'headers'> {
  readonly platform: string;
  /** Absent if the request had no body. */
  readonly body: RecordedBody | undefined;
  /** The planned fault that the request met. */
  readonly fault?: string;
  /** Absent if the platform did not answer. */
  readonly answer?: WholeAnswer;
}
