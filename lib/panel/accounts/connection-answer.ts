/** The answer that the browser brings back from a platform: a one-time code for an attempt, or the reason why there is none. */
type ConnectionAnswer =
  | { readonly code: string; readonly state: string }
  | { readonly error: string }
  | undefined;

/** The path to which the browser returns. The service adds its answer. */
export const returnPath = '/accounts/connected';

let answer: ConnectionAnswer;

/**
 * Takes the answer out of the address before anything else runs, so that neither the history nor a request has it. It is kept in
 * memory only, until {@link takeAnswer}.
 */
export function keepAnswer(): void {
  const url = new URL(location.href);
  if (url.pathname !== returnPath || url.search === '') return;
  const { code, state, error } = Object.fromEntries(url.searchParams);
  if (code && state) answer = { code, state };
  else if (error) answer = { error };
  history.replaceState(null, '', returnPath);
}

/** Returns the answer, once. */
export function takeAnswer(): ConnectionAnswer {
  const taken = answer;
  answer = undefined;
  return taken;
}
