/** A request as the endpoint hands it to an engine once its signature is proven, and the engine's answer. */

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Caller } from '../identity/policy-decision.ts';
import type { AwsError } from './errors.ts';

export interface ServiceRequest {
  readonly method: string;
  /** As sent, still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly caller: Caller;
  /** Fires when the client has gone. */
  readonly signal: AbortSignal;
}

export interface ServiceReply {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A service whose request bodies are small enough to be held in memory. */
export interface BufferedService {
  readonly maximumBodyBytes: number;
  /**
   * @returns undefined when the service has answered on the response by itself, as a proxy does.
   * @throws AwsError whatever the service refuses.
   */
  handle(request: ServiceRequest, response: ServerResponse): Promise<ServiceReply | undefined>;
  errorReply(error: AwsError): ServiceReply;
}
