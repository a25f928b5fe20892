/** The request that the endpoint passes to an engine after authenticating the caller, and the engine's reply. */

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Caller } from '../identity/policy-decision.ts';
import type { AwsError } from './errors.ts';

export interface ServiceRequest {
  readonly method: string;
  /** The path as sent, still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly caller: Caller;
  /** Creates a signal that fires if the client disconnects. Only services that wait need one. */
  readonly goneSignal: () => AbortSignal;
}

export interface ServiceReply {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A service whose request bodies fit in memory. */
export interface BufferedService {
  readonly maximumBodyBytes: number;
  /**
   * @returns undefined if the service has written the response itself, as a proxy does.
   * @throws AwsError if the service refuses the request.
   */
  handle(request: ServiceRequest, response: ServerResponse): Promise<ServiceReply | undefined>;
  errorReply(error: AwsError): ServiceReply;
}
