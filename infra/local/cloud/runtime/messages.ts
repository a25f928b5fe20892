/** What the function pool and the process of one execution environment say to each other, over Node's own channel. */

/** One event to handle. */
export interface Invocation {
  readonly requestId: string;
  readonly functionArn: string;
  /** JSON. */
  readonly payload: string;
  /** Milliseconds until the environment is killed. */
  readonly timeoutMs: number;
  /** How far the local clock is ahead of real time. */
  readonly clockOffsetMs: number;
  readonly traceHeader: string;
}

export type Reply =
  | { readonly type: 'ready' }
  | { readonly type: 'init-failed'; readonly error: FunctionError }
  | { readonly type: 'done'; readonly requestId: string; readonly payload: string }
  | { readonly type: 'failed'; readonly requestId: string; readonly error: FunctionError };

/** As Lambda reports an error of the function's own or of its environment (`FunctionError: Unhandled`). */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}
