/** The messages between the local cloud and the process of an execution environment, over Node's IPC channel. */

export interface Invocation {
  readonly requestId: string;
  readonly functionArn: string;
  /** JSON. */
  readonly payload: string;
  /** Milliseconds until the environment is killed. */
  readonly timeoutMs: number;
  /** The milliseconds by which the local clock is ahead of real time. */
  readonly clockOffsetMs: number;
  readonly traceHeader: string;
}

export type Reply =
  | { readonly type: 'ready' }
  | { readonly type: 'init-failed'; readonly error: FunctionError }
  | { readonly type: 'done'; readonly requestId: string; readonly payload: string }
  | { readonly type: 'failed'; readonly requestId: string; readonly error: FunctionError };

/** The type of the error of an event that no environment may handle now. */
export const throttledError = 'TooManyRequestsException';

/** An error of the function or of its environment, as Lambda reports it (`FunctionError: Unhandled`). */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}
